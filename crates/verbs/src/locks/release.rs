//! `locks release`.

use quorate_plane::locks::Resource;

use super::{Done, done};
use crate::prelude::*;

/// Gives a lock back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Release {
    /// The lock.
    pub lock: Said<Resource>,
    #[serde(flatten)]
    pub actor: Actor,
    /// The token of the hold.
    pub token: u64,
}

impl Verb for Release {
    const ABOUT: About =
        About::new("locks", "release", Method::Post, "/locks/{lock}/release", Level::Work, Effect::Hot)
            .by("agent");
    type Answer = Done;

    fn example() -> Value {
        json!({ "lock": "name:release", "agent": "worker-1", "token": 1 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Done>, Fault> {
        let outcome = call.plane.locks().release(&self.lock, &self.actor.agent, self.token).await?;
        Ok(done(outcome, "released", &self.lock))
    }
}
