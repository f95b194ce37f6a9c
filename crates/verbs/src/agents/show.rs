//! `agents show`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Refusal;
use quorate_plane::agents::Agent;

use crate::prelude::*;

/// Shows one agent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// The agent.
    pub agent: Said<AgentId>,
}

impl Verb for Show {
    const ABOUT: About =
        About::new("agents", "show", Method::Get, "/agents/{agent}", Level::Read, Effect::None)
            .also(&[("id", "agent")]);
    type Answer = Agent;

    fn example() -> Value {
        json!({ "agent": "worker-1" })
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(
            keys.quorate().agent(&self.agent),
            &["epoch", "version", "revoked", "banned", "drain"],
        ))
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Agent>, Fault> {
        let found = call.plane.agents().show(&self.agent).await?;
        let nobody = || Verdict::Refused(Refusal::new("unregistered", None).into());
        Ok(found.map_or_else(nobody, Verdict::Done))
    }
}
