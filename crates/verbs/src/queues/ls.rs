//! `queues ls`.

use quorate_plane::queues;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{About, Call, Effect, Fault, Level, Method, Verb, Verdict};

/// Lists the queues.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

/// A queue at a glance.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    pub queue: String,
    /// Items that may be claimed now.
    pub depth: u64,
    pub in_flight: u64,
    /// Items that are due later.
    pub delayed: u64,
    /// How long the oldest item has waited; unknown where a foreign client pushed it.
    pub oldest_age_ms: Option<u64>,
    pub paused: bool,
    pub paused_by: Option<String>,
    /// Late answers that were refused.
    pub stale: u64,
    /// Dead letters of this queue.
    pub dead: u64,
}

impl From<&queues::Shown> for Summary {
    fn from(shown: &queues::Shown) -> Self {
        Self {
            queue: shown.queue.clone(),
            depth: shown.depth,
            in_flight: shown.in_flight,
            delayed: shown.delayed,
            oldest_age_ms: shown.oldest_ms,
            paused: shown.paused.is_some(),
            paused_by: shown.paused.clone(),
            stale: shown.stale,
            dead: shown.dead,
        }
    }
}

/// Every queue that is known.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Listed(pub Vec<Summary>);

impl Verb for Ls {
    const ABOUT: About = About::new("queues", "ls", Method::Get, "/queues", Level::Read, Effect::None);
    type Answer = Listed;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Listed>, Fault> {
        let mut all = Vec::new();
        for queue in call.plane.queues().known().await? {
            all.push(Summary::from(&call.plane.queues().show(&queue, 0).await?));
        }
        Ok(Verdict::Done(Listed(all)))
    }
}
