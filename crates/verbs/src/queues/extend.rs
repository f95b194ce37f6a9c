//! `queues extend`.

use quorate_plane::queues::DEFAULT_LEASE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Tokens, each, stale};
use crate::said::Ttl;
use crate::{About, Actor, Call, Effect, Fault, Level, Method, Verb, Verdict};

/// Takes more time for items.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Extend {
    #[serde(flatten)]
    pub claims: Tokens,
    #[serde(flatten)]
    pub actor: Actor,
    /// How long from now; 10s if it is not said.
    #[serde(default)]
    pub lease: Option<Ttl>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Extended {
    /// `extended`.
    pub outcome: &'static str,
    /// The first token.
    pub token: String,
    /// Until when the items are yours, in ISO 8601.
    pub lease_until: String,
}

impl Verb for Extend {
    const ABOUT: About =
        About::new("queues", "extend", Method::Post, "/queues/extend", Level::Work, Effect::Hot).by("agent");
    type Answer = Extended;

    fn example() -> Value {
        json!({ "token": "normal.1763251234567890.0f-1.1", "agent": "worker-1", "lease": "30s" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Extended>, Fault> {
        let tokens = self.claims.all()?;
        let lease = self.lease.map_or(DEFAULT_LEASE, |lease| lease.0);
        let outcome = call.plane.queues().extend(&self.actor.agent, self.actor.epoch, &tokens, lease).await?;
        Ok(match Verdict::from(outcome) {
            Verdict::Refused(refused) => Verdict::Refused(refused),
            Verdict::Done((late, _)) if !late.is_empty() => {
                Verdict::Refused(stale(&each("extended", &tokens, &late)))
            }
            Verdict::Done((_, until)) => Verdict::Done(Extended {
                outcome: "extended",
                token: tokens[0].to_string(),
                lease_until: until.iso(),
            }),
        })
    }
}
