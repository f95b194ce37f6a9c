//! `queues claim`.

use quorate_catalog::ids::AgentId;
use quorate_plane::queues::{self, Queue, Token};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::said::{Said, Span, Ttl, Within};
use crate::{About, Call, Effect, Fault, Level, Method, Verb, Verdict};

/// Takes items under a lease, from the most urgent of some queues.
///
/// With `done` it first acknowledges what was claimed before, in the same round trip. With `wait` the answer comes as
/// soon as there is an item, or as `empty` when the time is over.
// Agent and epoch are written out, for the reason that `Ack` gives.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Claim {
    /// high, normal, low or job:NAME.
    pub queue: Said<Queue>,
    /// Further queues; of all of them the most urgent comes first.
    #[serde(default)]
    pub queues: Vec<Said<Queue>>,
    /// The agent who acts; it must be registered.
    pub agent: Said<AgentId>,
    /// Its epoch, as registering gave it; an earlier incarnation is refused. Without one, the current incarnation acts.
    #[serde(default)]
    pub epoch: Option<u64>,
    /// How long you have for the items; 10s if it is not said.
    #[serde(default)]
    pub lease: Option<Ttl>,
    /// How long to wait for an item.
    #[serde(default)]
    pub wait: Option<Span>,
    /// Most items; 1 if it is not said.
    #[serde(default)]
    pub max: Option<Within<1, 500>>,
    /// Tokens of finished items of one queue, acknowledged in the same call.
    #[serde(default)]
    pub done: Vec<Said<Token>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Claimed {
    /// `claimed` or `empty`.
    pub outcome: &'static str,
    pub items: Vec<Item>,
    /// Whether every queue that was asked is paused.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// Tokens of `done` that no longer counted: another worker may have those items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
}

/// An item in your hands.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Item {
    pub id: String,
    /// What every answer about the item needs.
    pub token: String,
    /// As it was pushed.
    pub payload: String,
    /// 1 for the first.
    pub attempt: u32,
    pub queue: String,
    /// Until when it is yours, in ISO 8601.
    pub lease_until: String,
    /// The trace it belongs to, as W3C has it; the parent of what you do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracestate: Option<String>,
    /// The payload as bytes, if it is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_bytes: Option<Vec<u8>>,
}

impl From<&queues::Item> for Item {
    fn from(item: &queues::Item) -> Self {
        Self {
            id: item.id.clone(),
            token: item.token.text(),
            payload: item.text(),
            attempt: item.attempt,
            queue: item.token.queue.name(),
            lease_until: item.lease_until.iso(),
            traceparent: item.trace.as_ref().map(|trace| trace.parent().to_owned()),
            tracestate: item
                .trace
                .as_ref()
                .map(|own| own.state().to_owned())
                .filter(|state| !state.is_empty()),
            payload_bytes: std::str::from_utf8(&item.payload).is_err().then(|| item.payload.clone()),
        }
    }
}

impl Verb for Claim {
    const ABOUT: About =
        About::new("queues", "claim", Method::Post, "/queues/{queue}/claim", Level::Work, Effect::Hot)
            .by("agent");
    type Answer = Claimed;

    fn example() -> Value {
        json!({ "queue": "normal", "agent": "worker-1", "lease": "30s", "max": 1 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Claimed>, Fault> {
        let wanted = queues::Claim {
            queues: std::iter::once(&self.queue).chain(&self.queues).map(|queue| queue.0.clone()).collect(),
            epoch: self.epoch,
            lease: self.lease.map_or(queues::DEFAULT_LEASE, |lease| lease.0),
            wait: self.wait.map(|wait| wait.0).unwrap_or_default(),
            most: self.max.map_or(1, |max| usize::try_from(max.0).unwrap_or(1)),
            ..queues::Claim::new(self.queue.0.clone(), self.agent.0.clone())
        };
        let mut late = Vec::new();
        let mut outcome = match self.done.is_empty() {
            true => call.plane.queues().claim(&wanted).await?,
            false => {
                let done: Vec<Token> = self.done.iter().map(|token| token.0.clone()).collect();
                let both = Box::pin(call.plane.queues().complete_and_claim(&done, &wanted)).await?;
                both.map(|(places, claimed)| {
                    late = places.iter().filter_map(|place| done.get(*place)).map(Token::to_string).collect();
                    claimed
                })
            }
        };
        if let quorate_plane::Outcome::Done(claimed) = &outcome
            && claimed.items.is_empty()
            && !self.done.is_empty()
            && !wanted.wait.is_zero()
        {
            outcome = Box::pin(call.plane.queues().claim(&wanted)).await?;
        }
        if let quorate_plane::Outcome::Done(claimed) = &outcome {
            // Where spans are exported, the trace of an item shows when it was taken.
            claimed.items.iter().for_each(|item| drop(item.span("receive")));
        }
        Ok(Verdict::from(outcome).map(|claimed| Claimed {
            outcome: if claimed.items.is_empty() { "empty" } else { "claimed" },
            items: claimed.items.iter().map(Item::from).collect(),
            paused: claimed.paused,
            stale: late,
        }))
    }
}
