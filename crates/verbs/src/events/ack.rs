//! `events ack`.

use quorate_plane::events::Stream;

use super::acknowledged;
use crate::prelude::*;

/// Acknowledges what was read.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ack {
    /// Which stream.
    pub stream: Said<Stream>,
    /// What was read; a gap by its id.
    pub ids: Vec<String>,
    /// The group.
    pub group: String,
    /// Acknowledge only what is still with this consumer.
    #[serde(default)]
    pub consumer: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Acked {
    /// `acked`.
    pub outcome: &'static str,
    /// How many.
    pub acked: u64,
    /// Those that had passed on to another consumer.
    pub stale: Vec<String>,
}

impl Verb for Ack {
    const ABOUT: About =
        About::new("events", "ack", Method::Post, "/events/{stream}/ack", Level::Work, Effect::Hot)
            .by("consumer")
            .also(&[("id", "ids")]);
    type Answer = Acked;

    fn example() -> Value {
        json!({ "stream": "all", "group": "indexer", "consumer": "worker-1", "ids": ["1794768310000-0"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Acked>, Fault> {
        if self.ids.is_empty() {
            return Err(Fault::bad("ids", "an id is missing"));
        }
        let (events, consumer) = (call.plane.events(), self.consumer.as_deref());
        let outcome = events.ack(self.stream.0, &self.group, consumer, &self.ids).await?;
        Ok(Verdict::from(outcome).and_then(acknowledged))
    }
}
