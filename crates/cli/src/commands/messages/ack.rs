//! `quorate messages ack ID MESSAGE…`.

use quorate_catalog::ids::{AgentId, MessageId};
use quorate_plane::Plane;
use quorate_verbs::Actor;
use quorate_verbs::messages::Ack;
use quorate_verbs::said::Said;
use serde_json::Value;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

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
    let verb = Ack {
        actor: Actor { agent: Said(args.id.clone()), epoch: args.epoch },
        messages: args.messages.iter().cloned().map(Said).collect(),
        acted_on: args.acted_on.clone(),
    };
    let answer = ask(plane, &verb, |_| View::Nothing).await?;
    // The first that was refused decides the exit code; people are told of each.
    Ok(match answer.json["messages"].as_array() {
        Some(all) => {
            let lines: Vec<String> = all.iter().map(line).collect();
            Answer { view: View::Text(lines.join("\n")), ..answer }
        }
        None => answer,
    })
}

fn line(one: &Value) -> String {
    let text = |name: &str| one[name].as_str().unwrap_or_default();
    let line = match one["outcome"] == "acked" {
        true => format!("{} was acknowledged at {}", text("id"), text("acked_at")),
        false => format!("{}: refused: {}", text("id"), text("reason")),
    };
    quorate_catalog::text::harmless(&line)
}
