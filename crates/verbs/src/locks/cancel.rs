//! `locks cancel`.

use quorate_catalog::ids::AgentId;
use quorate_plane::locks::Resource;

use super::{Done, done};
use crate::prelude::*;

/// Gives up a place in the queue of a lock.
///
/// For a place that `detach` left there. One that was granted in the meantime stays granted: the refusal says its token, with
/// which it can be released.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Cancel {
    /// The lock.
    pub lock: Said<Resource>,
    /// The request, as acquiring gave it.
    pub request: String,
    /// Whose request it must be; a caller that is bound to an agent gives up only that agent's.
    #[serde(default)]
    pub agent: Option<Said<AgentId>>,
}

impl Verb for Cancel {
    const ABOUT: About =
        About::new("locks", "cancel", Method::Post, "/locks/{lock}/cancel", Level::Work, Effect::Hot)
            .by("agent");
    type Answer = Done;

    fn example() -> Value {
        json!({ "lock": "name:release", "agent": "worker-1", "request": "169d16fc33c9195d0f04cf0b9174072f" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Done>, Fault> {
        let agent = self.agent.as_deref().or(call.bound.as_ref());
        let outcome = call.plane.locks().withdraw(&self.lock, &self.request, agent).await?;
        let token =
            outcome.refusal().filter(|why| why.is("already_granted")).and_then(|why| why.detail.clone());
        Ok(
            match (done(outcome, "cancelled", &self.lock), token.and_then(|token| token.parse::<u64>().ok()))
            {
                (Verdict::Refused(why), Some(token)) => Verdict::Refused(why.with("token", token)),
                (verdict, _) => verdict,
            },
        )
    }
}
