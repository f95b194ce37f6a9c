//! `agents lift`.

use quorate_catalog::ids::AgentId;

use crate::prelude::*;

/// Lifts a ban, so that the agent may register again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Lift {
    /// The agent.
    pub agent: Said<AgentId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Lifted {
    /// `lifted`.
    pub outcome: &'static str,
    pub agent: String,
    pub was_banned: bool,
}

impl Verb for Lift {
    const ABOUT: About =
        About::new("agents", "lift", Method::Post, "/agents/{agent}/lift", Level::Operate, Effect::Change)
            .also(&[("id", "agent")])
            .typed("agents revoke --lift");
    type Answer = Lifted;

    fn example() -> Value {
        json!({ "agent": "worker-1" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Lifted>, Fault> {
        let outcome = call.plane.agents().lift_ban(&self.agent).await?;
        let agent = self.agent.to_string();
        Ok(Verdict::from(outcome).map(|was_banned| Lifted { outcome: "lifted", agent, was_banned }))
    }
}
