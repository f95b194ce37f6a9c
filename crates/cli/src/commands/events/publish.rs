//! `quorate events publish STREAM EVENT [PAYLOAD]`.

use quorate_plane::Plane;
use quorate_plane::events::{Event, Stream};
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where: all, task, approval or lock, or a full name such as events:all.
    stream: Stream,
    /// What happened, such as task:state_changed.
    event: String,
    /// The details, as JSON.
    #[arg(default_value = "{}")]
    payload: String,
    /// Who says so.
    #[arg(long, env = "QUORATE_AGENT", default_value = "quorate-cli", value_name = "NAME")]
    source: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    if !args.stream.takes_events() {
        return Err(Failure::bad_input(format!("nobody publishes on {} by hand", args.stream)).advise(
            "use all, task, approval or lock; `events wake` and `observations submit` write the others",
        ));
    }
    let event =
        Event { event: args.event.clone(), payload: args.payload.clone(), source: args.source.clone() };
    let outcome = plane.events().publish(args.stream, &[event]).await?;
    Ok(refusal::or(outcome, |ids| {
        let id = ids.into_iter().next().unwrap_or_default();
        let text = View::Text(format!("published {id} on {}", args.stream));
        Answer::new(json!({ "outcome": "published", "stream": args.stream.name(), "id": id }), text)
    }))
}
