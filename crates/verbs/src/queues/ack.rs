//! `queues ack`.

use quorate_catalog::ids::AgentId;
use quorate_plane::queues::Token;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Late, each, first_and_more, stale};
use crate::said::Said;
use crate::{About, Call, Effect, Fault, Level, Method, Verb, Verdict};

/// Says that items are done.
// Its fields are written out, and not those of `Tokens` and `Actor`: what is flattened is put into another form first, which costs
// more than all the rest of reading it, and nothing is asked more often.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ack {
    /// The token that a claim gave.
    #[serde(default)]
    pub token: Option<Said<Token>>,
    /// Several, all of one queue; up to 500.
    #[serde(default)]
    pub tokens: Vec<Said<Token>>,
    /// The agent who acts; it must be registered.
    pub agent: Said<AgentId>,
    /// Its epoch, as registering gave it; an earlier incarnation is refused. Without one, the current incarnation acts.
    #[serde(default)]
    pub epoch: Option<u64>,
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
        let tokens = first_and_more(self.token.as_ref(), &self.tokens)?;
        let outcome = super::of(call).ack(&self.agent, self.epoch, &tokens).await?;
        Ok(match Verdict::from(outcome) {
            Verdict::Refused(refused) => Verdict::Refused(refused),
            Verdict::Done(late) if !late.is_empty() => {
                Verdict::Refused(stale(&each("acked", &tokens, &late)))
            }
            Verdict::Done(_) => Verdict::Done(Acked {
                outcome: "acked",
                token: tokens[0].text(),
                tokens: if tokens.len() > 1 { each("acked", &tokens, &[]) } else { Vec::new() },
            }),
        })
    }
}
