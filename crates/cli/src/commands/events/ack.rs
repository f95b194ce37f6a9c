//! `quorate events ack STREAM ID… --group G`.

use quorate_plane::Plane;
use quorate_plane::events::{Acked, Stream};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which stream.
    stream: Stream,
    /// What was read; a gap by its id.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The group.
    #[arg(long, short)]
    group: String,
    /// Acknowledge only what is still with this consumer.
    #[arg(long, short)]
    consumer: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let outcome = plane.events().ack(args.stream, &args.group, args.consumer.as_deref(), &args.ids).await?;
    Ok(refusal::or(outcome, |acked| answer(&acked)))
}

/// What is with another consumer now is refused: exit 4.
pub(crate) fn answer(acked: &Acked) -> Answer {
    let stale = !acked.stale.is_empty();
    let outcome = if stale { "stale" } else { "acked" };
    let text = match stale {
        true => format!("{} acknowledged; with another consumer now: {}", acked.acked, acked.stale.join(" ")),
        false => format!("{} acknowledged", acked.acked),
    };
    let json = json!({ "outcome": outcome, "acked": acked.acked, "stale": acked.stale });
    let exit = if stale { Exit::Refused as u8 } else { 0 };
    Answer { exit, ..Answer::new(json, View::Text(text)) }
}
