//! `agents deregister`.

use quorate_catalog::ids::AgentId;

use crate::prelude::*;

/// Ends an agent's session; what it held passes on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Deregister {
    /// The agent.
    pub agent: Said<AgentId>,
    /// Its epoch, as registering gave it; an earlier incarnation is refused.
    #[serde(default)]
    pub epoch: Option<u64>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Deregistered {
    /// `deregistered`.
    pub outcome: &'static str,
    pub agent: String,
    /// The epoch that ended.
    pub epoch: u64,
}

impl Verb for Deregister {
    const ABOUT: About =
        About::new("agents", "deregister", Method::Delete, "/agents/{agent}", Level::Work, Effect::Change)
            .by("agent")
            .also(&[("id", "agent")]);
    type Answer = Deregistered;

    fn example() -> Value {
        json!({ "agent": "worker-1", "epoch": 1 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Deregistered>, Fault> {
        let agents = call.plane.agents().asked(call.request.as_deref());
        let outcome = agents.deregister(&self.agent, self.epoch).await?;
        let agent = self.agent.to_string();
        Ok(Verdict::from(outcome).map(|epoch| Deregistered { outcome: "deregistered", agent, epoch }))
    }
}
