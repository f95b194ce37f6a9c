//! `queues ack`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Late, Tokens, each, stale};
use crate::{About, Actor, Call, Effect, Fault, Level, Method, Verb, Verdict};

/// Says that items are done.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ack {
    #[serde(flatten)]
    pub claims: Tokens,
    #[serde(flatten)]
    pub actor: Actor,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Acked {
    /// `acked`.
    pub outcome: &'static str,
    /// The first token.
    pub token: String,
    /// Each token with its outcome, if there were several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Late>,
}

impl Verb for Ack {
    const ABOUT: About =
        About::new("queues", "ack", Method::Post, "/queues/ack", Level::Work, Effect::Hot).by("agent");
    type Answer = Acked;

    fn example() -> Value {
        json!({ "token": "normal.1763251234567890.0f-1.1", "agent": "worker-1" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Acked>, Fault> {
        let tokens = self.claims.all()?;
        let outcome = super::of(call).ack(&self.actor.agent, self.actor.epoch, &tokens).await?;
        Ok(match Verdict::from(outcome) {
            Verdict::Refused(refused) => Verdict::Refused(refused),
            Verdict::Done(late) if !late.is_empty() => {
                Verdict::Refused(stale(&each("acked", &tokens, &late)))
            }
            Verdict::Done(_) => Verdict::Done(Acked {
                outcome: "acked",
                token: tokens[0].to_string(),
                tokens: if tokens.len() > 1 { each("acked", &tokens, &[]) } else { Vec::new() },
            }),
        })
    }
}
