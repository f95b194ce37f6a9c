//! `observations ack`.

use super::GROUP;
use crate::events::{Acked, acknowledged};
use crate::prelude::*;

/// Says that observations are consolidated.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ack {
    /// The observations.
    pub ids: Vec<String>,
    /// The group; consolidator if it is not said.
    #[serde(default)]
    pub group: Option<String>,
    /// Acknowledge only what is still with this consumer.
    #[serde(default)]
    pub consumer: Option<String>,
}

impl Verb for Ack {
    const ABOUT: About =
        About::new("observations", "ack", Method::Post, "/observations/ack", Level::Work, Effect::Hot)
            .by("consumer")
            .also(&[("id", "ids")]);
    type Answer = Acked;

    fn example() -> Value {
        json!({ "ids": ["1794768310000-0"], "consumer": "worker-1" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Acked>, Fault> {
        if self.ids.is_empty() {
            return Err(Fault::bad("ids", "an id is missing"));
        }
        let (group, consumer) = (self.group.as_deref().unwrap_or(GROUP), self.consumer.as_deref());
        let outcome = call.plane.observations().ack(group, consumer, &self.ids).await?;
        Ok(Verdict::from(outcome).and_then(acknowledged))
    }
}
