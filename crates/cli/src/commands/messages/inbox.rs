//! `quorate messages inbox ID`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_verbs::messages::Inbox;
use quorate_verbs::said::{Said, Within};

use super::table;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whose inbox.
    id: AgentId,
    /// Most messages to show.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// The newest first.
    #[arg(long)]
    newest: bool,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb =
        Inbox { agent: Said(args.id.clone()), limit: Some(Within(args.limit.into())), newest: args.newest };
    ask(plane, &verb, |inbox| table(&inbox.messages)).await
}
