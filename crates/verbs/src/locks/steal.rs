//! `locks steal`.

use quorate_plane::locks::Resource;

use super::{Done, done};
use crate::prelude::*;

/// Breaks a lock that a foreign client left behind, if the rule allows it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Steal {
    /// The lock.
    pub lock: Said<Resource>,
    #[serde(flatten)]
    pub actor: Actor,
    /// Who holds it, as `locks acquire` said.
    pub owner: String,
}

impl Verb for Steal {
    const ABOUT: About =
        About::new("locks", "steal", Method::Post, "/locks/{lock}/steal", Level::Operate, Effect::Destroys)
            .by("agent");
    type Answer = Done;

    fn example() -> Value {
        json!({ "lock": "name:release", "agent": "worker-1", "owner": "old-client" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Done>, Fault> {
        let outcome =
            call.plane.locks().steal(&self.lock, &self.actor.agent, self.actor.epoch, &self.owner).await?;
        Ok(done(outcome, "stolen", &self.lock))
    }
}
