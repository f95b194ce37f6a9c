//! `events read`.

use std::time::Duration;

use quorate_plane::events::{self, Start, Stream};

use super::Batch;
use crate::prelude::*;

/// Reads for a group: what a dead consumer left, then what is new.
///
/// With `wait` the answer comes as soon as there is something, or as `empty` when the time is over.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Read {
    /// Which stream.
    pub stream: Said<Stream>,
    /// The group; it exists from its first consumer on.
    pub group: String,
    /// Who reads.
    pub consumer: String,
    /// Where a new group starts: 0 for everything, $ for what comes, or after an entry; 0 if it is not said.
    #[serde(default)]
    pub start: Option<Said<Start>>,
    /// Most entries at once; 100 if it is not said.
    #[serde(default)]
    pub count: Option<Within<1, 1_000>>,
    /// How long an entry may be with a consumer that does not acknowledge it, before it goes to another; 30s if it is not
    /// said.
    #[serde(default)]
    pub idle: Option<Span>,
    /// How long to wait if there is nothing.
    #[serde(default)]
    pub wait: Option<Span>,
}

impl Verb for Read {
    const ABOUT: About =
        About::new("events", "read", Method::Post, "/events/{stream}/read", Level::Work, Effect::Hot)
            .by("consumer");
    type Answer = Batch;

    fn example() -> Value {
        json!({ "stream": "all", "group": "indexer", "consumer": "worker-1", "count": 10 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Batch>, Fault> {
        let wanted = events::Read {
            start: self.start.as_ref().map(|start| start.0.clone()).unwrap_or_default(),
            count: self.count.and_then(|count| u32::try_from(count.0).ok()).unwrap_or(100),
            idle: self.idle.map_or(Duration::from_secs(30), |idle| idle.0),
            wait: self.wait.map(|wait| wait.0).unwrap_or_default(),
            ..events::Read::new(self.stream.0, &self.group, &self.consumer)
        };
        Ok(Verdict::from(call.plane.events().read(&wanted).await?).map(Batch::from))
    }
}
