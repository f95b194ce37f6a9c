//! `quorate observations reject ID --reason WHY`.

use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The observation.
    id: String,
    /// Why.
    #[arg(long)]
    reason: String,
    /// The group.
    #[arg(long, short, default_value = "consolidator")]
    group: String,
    /// Who has it.
    #[arg(long, short, env = "QUORATE_AGENT")]
    consumer: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let outcome = plane.observations().reject(&args.group, &args.consumer, &args.id, &args.reason).await?;
    Ok(refusal::or(outcome, |id| {
        let text = View::Text(format!("it is with the dead ones as {id}"));
        Answer::new(json!({ "outcome": "rejected", "id": id, "original_id": args.id }), text)
    }))
}
