//! `locks renew`.

use quorate_plane::locks::Resource;

use super::{Grant, named};
use crate::prelude::*;

/// Extends a hold.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Renew {
    /// The lock.
    pub lock: Said<Resource>,
    #[serde(flatten)]
    pub actor: Actor,
    /// The token of the hold.
    pub token: u64,
    /// How long it lasts from now; as long as it was taken for, if it is not said.
    #[serde(default)]
    pub ttl: Option<Ttl>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Renewed {
    /// `renewed`.
    pub outcome: &'static str,
    #[serde(flatten)]
    pub grant: Grant,
}

impl Verb for Renew {
    const ABOUT: About =
        About::new("locks", "renew", Method::Post, "/locks/{lock}/renew", Level::Work, Effect::Hot)
            .by("agent");
    type Answer = Renewed;

    fn example() -> Value {
        json!({ "lock": "name:release", "agent": "worker-1", "token": 1 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Renewed>, Fault> {
        let (locks, ttl) = (call.plane.locks(), self.ttl.map(|ttl| ttl.0));
        let outcome = locks.renew(&self.lock, &self.actor.agent, self.actor.epoch, self.token, ttl).await?;
        let grant = |hold| Grant::new(&self.lock, &hold);
        Ok(named(outcome, &self.lock).map(|hold| Renewed { outcome: "renewed", grant: grant(hold) }))
    }
}
