//! `quorate events nack STREAM ID… --group G --consumer C`.

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which stream.
    stream: Stream,
    /// What was read and is not taken.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The group.
    #[arg(long, short)]
    group: String,
    /// With whom it is.
    #[arg(long, short)]
    consumer: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let outcome = plane.events().nack(args.stream, &args.group, &args.consumer, &args.ids).await?;
    Ok(refusal::or(outcome, |nacked| {
        let stale = !nacked.stale.is_empty();
        let text = match stale {
            true => {
                format!("{} given back; not with {}: {}", nacked.acked, args.consumer, nacked.stale.join(" "))
            }
            false => format!("{} given back", nacked.acked),
        };
        let outcome = if stale { "stale" } else { "nacked" };
        let json = json!({ "outcome": outcome, "nacked": nacked.acked, "stale": nacked.stale });
        Answer { exit: if stale { Exit::Refused as u8 } else { 0 }, ..Answer::new(json, View::Text(text)) }
    }))
}
