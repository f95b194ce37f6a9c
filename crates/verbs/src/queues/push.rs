//! `queues push`.

use quorate_catalog::ids::WordId;
use quorate_plane::queues::{self, Queue};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::said::{Said, Span, Within};
use crate::{About, Call, Effect, Fault, Level, Method, Verb, Verdict};

/// Puts an item on a queue.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Push {
    /// high, normal, low or job:NAME.
    pub queue: Said<Queue>,
    /// Any text; a worker gets it as it is.
    pub payload: String,
    /// A second push with the same key gives the same item; it is remembered for a week.
    #[serde(default)]
    pub key: Option<String>,
    /// Items of one group are done one after the other, in their order.
    #[serde(default)]
    pub group: Option<String>,
    /// Only an agent with all of these capabilities may claim it.
    #[serde(default)]
    pub needs: Vec<Said<WordId>>,
    /// How long until it may be claimed.
    #[serde(default)]
    pub delay: Option<Span>,
    /// How often it is tried before it goes to the dead letters; the deployment's number, 5, if it is not said.
    #[serde(default)]
    pub max_attempts: Option<Within<1, 1_000>>,
    /// Refuse it if so many items already wait.
    #[serde(default)]
    pub max_depth: Option<Within<1, 1_000_000_000>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Pushed {
    /// `pushed`, or `known` if an earlier push with the same key had made it.
    pub outcome: &'static str,
    pub id: String,
    pub queue: String,
}

impl Verb for Push {
    const ABOUT: About =
        About::new("queues", "push", Method::Post, "/queues/{queue}/push", Level::Work, Effect::Hot);
    type Answer = Pushed;

    fn example() -> Value {
        json!({ "queue": "normal", "payload": "{\"build\":42}" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Pushed>, Fault> {
        let push = queues::Push {
            // What must not be pushed twice has a key, and the name of the request is one.
            key: self.key.clone().or_else(|| call.request.clone()),
            group: self.group.clone(),
            needs: self.needs.iter().map(|word| word.0.clone()).collect(),
            delay: self.delay.map(|delay| delay.0).unwrap_or_default(),
            max_attempts: self.max_attempts.and_then(|most| u32::try_from(most.0).ok()),
            max_depth: self.max_depth.map(|most| most.0),
            trace: call.trace.clone(),
            ..queues::Push::new(&self.payload)
        };
        let outcome = super::of(call).push(&self.queue, &push).await?;
        Ok(Verdict::from(outcome).map(|pushed| Pushed {
            outcome: if pushed.known { "known" } else { "pushed" },
            id: pushed.id,
            queue: self.queue.name(),
        }))
    }
}
