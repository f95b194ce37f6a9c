//! `quorate messages send TO TEXT`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use serde_json::json;

use super::Letter;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whom it is for.
    to: AgentId,
    /// The message; it is kept byte for byte.
    text: String,
    #[command(flatten)]
    letter: Letter,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let outcome = plane.messages().send(&args.to, &args.letter.outgoing(&args.text)?).await?;
    Ok(refusal::or(outcome, |sent| {
        let json = json!({ "outcome": "sent", "id": sent.id, "to": args.to, "sent_at": sent.sent_at.iso() });
        Answer::new(json, View::Text(format!("{} is in the inbox of {}", sent.id, args.to)))
    }))
}
