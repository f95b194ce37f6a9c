//! `quorate messages ack ID MESSAGE…`.

use quorate_catalog::ids::{AgentId, MessageId};
use quorate_plane::messages::Acked;
use quorate_plane::{Outcome, Plane};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whose inbox.
    id: AgentId,
    /// The messages.
    #[arg(required = true, value_name = "MESSAGE")]
    messages: Vec<MessageId>,
    /// Its epoch; an earlier incarnation is refused.
    #[arg(long, env = "QUORATE_EPOCH", value_name = "N")]
    epoch: Option<u64>,
    /// What was done about them, such as task:12; may be said later too.
    #[arg(long, value_name = "WHAT")]
    acted_on: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let messages = plane.messages();
    let acked = messages.ack(&args.id, args.epoch, &args.messages, args.acted_on.as_deref()).await?;
    Ok(refusal::or(acked, |all| answer(&all)))
}

/// The answer for all of them; the first that was refused decides the exit code.
fn answer(all: &[Acked]) -> Answer {
    let list: Vec<Value> = all.iter().map(one).collect();
    let text: Vec<String> = all.iter().map(line).collect();
    let done = json!({ "outcome": "acked", "messages": list });
    let refused = all.iter().find_map(|one| one.outcome.refusal());
    match refused {
        None => Answer::new(done, View::Text(text.join("\n"))),
        Some(why) => {
            let refused = refusal::answer(why, &json!({ "messages": list }));
            Answer { view: View::Text(text.join("\n")), ..refused }
        }
    }
}

fn one(one: &Acked) -> Value {
    match &one.outcome {
        Outcome::Done(when) => json!({ "id": one.id, "outcome": "acked", "acked_at": when.iso() }),
        Outcome::Refused(why) => {
            json!({ "id": one.id, "outcome": "refused", "code": why.code, "reason": why.reason })
        }
    }
}

fn line(one: &Acked) -> String {
    match &one.outcome {
        Outcome::Done(when) => format!("{} was acknowledged at {}", one.id, when.iso()),
        Outcome::Refused(why) => {
            quorate_catalog::text::harmless(&format!("{}: refused: {} ({})", one.id, why.reason, why.next))
        }
    }
}
