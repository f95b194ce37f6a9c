//! `events newest`.

use quorate_plane::events::Stream;

use super::{Happened, listed};
use crate::prelude::*;

/// Shows the newest entries of a stream, the oldest of them first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Newest {
    /// all, task, approval, lock, wake, pseudoagent_wake, env, scrapes, pending or dead, or a full name such as events:all.
    pub stream: Said<Stream>,
    /// Most entries; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

impl Verb for Newest {
    const ABOUT: About =
        About::new("events", "newest", Method::Get, "/events/{stream}", Level::Read, Effect::None)
            .tail()
            .typed("events ls");
    type Answer = Vec<Happened>;

    fn example() -> Value {
        json!({ "stream": "all", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Happened>>, Fault> {
        let limit = self.limit.map_or(100, |limit| limit.0);
        Ok(listed(call.plane.events().newest(self.stream.0, limit).await?))
    }
}
