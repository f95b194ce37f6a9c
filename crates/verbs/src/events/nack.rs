//! `events nack`.

use quorate_plane::Refusal;
use quorate_plane::events::Stream;

use crate::prelude::*;

/// Gives back what was read and is not taken; it is delivered again at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Nack {
    /// Which stream.
    pub stream: Said<Stream>,
    /// What was read and is not taken.
    pub ids: Vec<String>,
    /// The group.
    pub group: String,
    /// With whom it is.
    pub consumer: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Nacked {
    /// `nacked`.
    pub outcome: &'static str,
    /// How many.
    pub nacked: u64,
    /// Those that were not with this consumer.
    pub stale: Vec<String>,
}

impl Verb for Nack {
    const ABOUT: About =
        About::new("events", "nack", Method::Post, "/events/{stream}/nack", Level::Work, Effect::Hot)
            .by("consumer")
            .also(&[("id", "ids")]);
    type Answer = Nacked;

    fn example() -> Value {
        json!({ "stream": "all", "group": "indexer", "consumer": "worker-1", "ids": ["1794768310000-0"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Nacked>, Fault> {
        if self.ids.is_empty() {
            return Err(Fault::bad("ids", "an id is missing"));
        }
        let events = call.plane.events();
        let outcome = events.nack(self.stream.0, &self.group, &self.consumer, &self.ids).await?;
        Ok(Verdict::from(outcome).and_then(|done| {
            if done.stale.is_empty() {
                return Verdict::Done(Nacked { outcome: "nacked", nacked: done.acked, stale: done.stale });
            }
            let why = Refusal::new("not_yours", Some("another consumer".to_owned()));
            Verdict::Refused(Refused::new("stale", why).with("nacked", done.acked).with("stale", done.stale))
        }))
    }
}
