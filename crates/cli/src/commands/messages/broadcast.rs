//! `quorate messages broadcast TEXT`.

use quorate_catalog::ids::WordId;
use quorate_plane::messages::Delivery;
use quorate_plane::{Outcome, Plane};
use serde_json::{Value, json};

use super::Letter;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The message; each recipient gets one of its own.
    text: String,
    #[command(flatten)]
    letter: Letter,
    /// Only agents with this role.
    #[arg(long)]
    role: Option<WordId>,
    /// Only agents with this capability.
    #[arg(long)]
    capability: Option<WordId>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let message = args.letter.outgoing(&args.text)?;
    let sent = plane.messages().broadcast(&message, args.role.as_ref(), args.capability.as_ref()).await?;
    Ok(refusal::or(sent, |all| answer(&all)))
}

/// A recipient that refused makes the whole a refusal, and the rest is sent all the same.
fn answer(all: &[Delivery]) -> Answer {
    let refused = all.iter().filter(|one| one.outcome.refusal().is_some()).count();
    let recipients: Vec<Value> = all.iter().map(recipient).collect();
    let outcome = if refused == 0 { "sent" } else { "partly_refused" };
    let json = json!({ "outcome": outcome, "sent": all.len() - refused, "refused": refused, "recipients": recipients });
    let rows = all.iter().map(|one| vec![one.to.to_string(), word(one)]).collect();
    let exit = if refused == 0 { 0 } else { Exit::Refused as u8 };
    Answer { exit, ..Answer::new(json, View::Rows { header: &["to", "outcome"], rows }) }
}

fn recipient(one: &Delivery) -> Value {
    match &one.outcome {
        Outcome::Done(sent) => json!({ "to": one.to, "outcome": "sent", "id": sent.id }),
        Outcome::Refused(why) => {
            json!({ "to": one.to, "outcome": "refused", "code": why.code, "reason": why.reason })
        }
    }
}

fn word(one: &Delivery) -> String {
    match &one.outcome {
        Outcome::Done(sent) => sent.id.clone(),
        Outcome::Refused(why) => format!("refused: {}", why.reason),
    }
}
