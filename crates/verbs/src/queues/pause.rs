//! `queues pause` and `queues resume`.

use quorate_plane::queues::Queue;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::said::Said;
use crate::{About, Call, Effect, Fault, Level, Method, Verb, Verdict};

/// Stops a queue from giving out items.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Pause {
    /// high, normal, low or job:NAME.
    pub queue: Said<Queue>,
}

/// Lets a paused queue go on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Resume {
    /// high, normal, low or job:NAME.
    pub queue: Said<Queue>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Paused {
    /// `paused` or `resumed`.
    pub outcome: &'static str,
    pub queue: String,
    /// Who had paused it before; empty if nobody had.
    pub before: String,
}

impl Paused {
    fn new(outcome: &'static str, queue: &Queue, before: String) -> Verdict<Self> {
        Verdict::Done(Self { outcome, queue: queue.name(), before })
    }
}

impl Verb for Pause {
    const ABOUT: About =
        About::new("queues", "pause", Method::Post, "/queues/{queue}/pause", Level::Operate, Effect::Change);
    type Answer = Paused;

    fn example() -> Value {
        json!({ "queue": "normal" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Paused>, Fault> {
        let before = call.plane.queues().pause(&self.queue, &call.who).await?;
        Ok(Paused::new("paused", &self.queue, before))
    }
}

impl Verb for Resume {
    const ABOUT: About = About::new(
        "queues",
        "resume",
        Method::Post,
        "/queues/{queue}/resume",
        Level::Operate,
        Effect::Change,
    );
    type Answer = Paused;

    fn example() -> Value {
        json!({ "queue": "normal" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Paused>, Fault> {
        let before = call.plane.queues().resume(&self.queue).await?;
        Ok(Paused::new("resumed", &self.queue, before))
    }
}
