//! `quorate observations submit CONTENT`.

use quorate_plane::Plane;
use quorate_plane::events::{Gate, Observation};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What was noticed.
    content: String,
    /// What it is about; the same content under another topic is another observation.
    #[arg(long, default_value = "", hide_default_value = true)]
    topic: String,
    /// Who noticed it.
    #[arg(long, env = "QUORATE_AGENT", default_value = "quorate-cli", value_name = "NAME")]
    source: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let one =
        Observation { content: args.content.clone(), topic: args.topic.clone(), source: args.source.clone() };
    let outcome = plane.observations().submit(&one).await?;
    Ok(refusal::or(outcome, |gate| {
        let json = json!(gate);
        match gate {
            Gate::Accepted { id } => Answer::new(json, View::Text(format!("accepted {id}"))),
            Gate::Rejected { id, reason } => Answer {
                exit: Exit::Refused as u8,
                ..Answer::new(
                    json,
                    View::Text(format!("rejected ({reason}); it is with the dead ones as {id}")),
                )
            },
        }
    }))
}
