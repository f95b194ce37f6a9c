//! `agents drain`.

use quorate_catalog::ids::AgentId;

use crate::prelude::*;

/// Lets an agent finish what it has and take nothing new.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Drain {
    /// The agent.
    pub agent: Said<AgentId>,
    /// Why; the agent hears it with its next heartbeat.
    #[serde(default)]
    pub reason: String,
    /// Only if this is its epoch; without one, whatever incarnation there is.
    #[serde(default)]
    pub epoch: Option<u64>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Draining {
    /// `draining`.
    pub outcome: &'static str,
    pub agent: String,
    pub epoch: u64,
}

impl Verb for Drain {
    const ABOUT: About =
        About::new("agents", "drain", Method::Post, "/agents/{agent}/drain", Level::Operate, Effect::Change)
            .also(&[("id", "agent")]);
    type Answer = Draining;

    fn example() -> Value {
        json!({ "agent": "worker-1", "reason": "the machine goes down at noon" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Draining>, Fault> {
        let agents = call.plane.agents().asked(call.request.as_deref());
        let outcome = agents.drain(&self.agent, self.epoch, &self.reason).await?;
        let agent = self.agent.to_string();
        Ok(Verdict::from(outcome).map(|epoch| Draining { outcome: "draining", agent, epoch }))
    }
}
