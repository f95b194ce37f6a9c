//! `quorate messages history [ID]`.

use quorate_catalog::ids::{AgentId, MessageId, ThreadId};
use quorate_plane::Plane;
use quorate_plane::messages::Place;
use serde_json::json;

use super::table;
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
    let place = match (&args.which.id, &args.which.thread, &args.which.message) {
        (Some(agent), ..) => Place::Of(agent.clone()),
        (_, Some(thread), _) => Place::Thread(thread.clone()),
        (.., Some(message)) => Place::One(message.clone()),
        _ => return Err(Failure::bad_input("say whose history, or which thread or message")),
    };
    let found = plane.messages().history(&place, args.limit.into()).await?;
    if found.is_empty() && matches!(place, Place::One(_)) {
        return Err(Failure::not_found(
            "there is no such message, or it was acknowledged more than 7 days ago",
        ));
    }
    Ok(Answer::new(json!({ "messages": found }), table(&found)))
}
