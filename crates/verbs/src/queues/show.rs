//! `queues show`.

use quorate_catalog::Keys;
use quorate_catalog::ids::QueueRef;
use quorate_plane::queues::Queue;
use quorate_store::Watched;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Summary;
use crate::said::{Said, Within};
use crate::{About, Call, Effect, Fault, Level, Method, Verb, Verdict};

/// Shows one queue: how much waits, since when, and who works on it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// high, normal, low or job:NAME.
    pub queue: Said<Queue>,
    /// Most claims to show; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<0, 1_000>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Shown {
    #[serde(flatten)]
    pub summary: Summary,
    pub claims: Vec<Held>,
}

/// An item that somebody works on.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Held {
    pub id: String,
    pub agent: String,
    pub attempt: u32,
    pub lease_until: String,
}

impl Verb for Show {
    const ABOUT: About =
        About::new("queues", "show", Method::Get, "/queues/{queue}", Level::Read, Effect::None);
    type Answer = Shown;

    fn example() -> Value {
        json!({ "queue": "normal" })
    }

    /// How much waits changes all the time; what people set is whether it is paused.
    fn watched(&self, keys: &Keys) -> Option<Watched> {
        let name = QueueRef::parse(&self.queue.name()).ok()?;
        Some(Watched::new(keys.quorate().queue_state(&name), &["paused"]).always())
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Shown>, Fault> {
        let limit = self.limit.map_or(100, |limit| usize::try_from(limit.0).unwrap_or(100));
        let shown = call.plane.queues().show(&self.queue, limit).await?;
        let claims = shown.claims.iter().map(|claim| Held {
            id: claim.id.clone(),
            agent: claim.agent.clone(),
            attempt: claim.attempt,
            lease_until: claim.lease_until.clone(),
        });
        Ok(Verdict::Done(Shown { summary: Summary::from(&shown), claims: claims.collect() }))
    }
}
