//! `quorate messages history [ID]`.

use quorate_catalog::ids::{AgentId, MessageId, ThreadId};
use quorate_plane::Plane;
use quorate_verbs::messages::History;
use quorate_verbs::said::{Said, Within};

use super::table;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Which {
    /// What this agent sent and received.
    id: Option<AgentId>,
    /// The messages of a thread.
    #[arg(long)]
    thread: Option<ThreadId>,
    /// One message.
    #[arg(long)]
    message: Option<MessageId>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Most messages to show.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = History {
        agent: args.which.id.clone().map(Said),
        thread: args.which.thread.clone().map(Said),
        message: args.which.message.clone().map(Said),
        limit: Some(Within(args.limit.into())),
    };
    ask(plane, &verb, |found| table(&found.messages)).await
}
