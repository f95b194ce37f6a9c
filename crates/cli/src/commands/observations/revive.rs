//! `quorate observations revive ID`.

use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The dead observation.
    id: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let outcome = plane.observations().revive(&args.id).await?;
    Ok(refusal::or(outcome, |id| {
        Answer::new(json!({ "outcome": "revived", "id": id }), View::Text(format!("pending again as {id}")))
    }))
}
