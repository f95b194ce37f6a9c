//! `agents revoke`.

use quorate_catalog::ids::AgentId;

use crate::prelude::*;

/// Refuses every later write of an agent, whether it listens or not.
///
/// What it held passes on at once. A new incarnation may register, unless there is a ban.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Revoke {
    /// The agent.
    pub agent: Said<AgentId>,
    /// Let no new incarnation register either, and say why.
    #[serde(default)]
    pub ban: Option<String>,
    /// Only if this is its epoch; without one, whatever incarnation there is.
    #[serde(default)]
    pub epoch: Option<u64>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Revoked {
    /// `revoked`.
    pub outcome: &'static str,
    pub agent: String,
    pub epoch: u64,
    /// Why it may not come back, if it may not.
    pub banned: Option<String>,
}

impl Verb for Revoke {
    const ABOUT: About = About::new(
        "agents",
        "revoke",
        Method::Post,
        "/agents/{agent}/revoke",
        Level::Operate,
        Effect::Destroys,
    )
    .also(&[("id", "agent")]);
    type Answer = Revoked;

    fn example() -> Value {
        json!({ "agent": "worker-1", "ban": "it writes nonsense" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Revoked>, Fault> {
        if self.ban.as_ref().is_some_and(String::is_empty) {
            return Err(Fault::bad("ban", "say why"));
        }
        let agents = call.plane.agents().asked(call.request.as_deref());
        let outcome = agents.revoke(&self.agent, self.epoch, self.ban.as_deref()).await?;
        Ok(Verdict::from(outcome).map(|epoch| Revoked {
            outcome: "revoked",
            agent: self.agent.to_string(),
            epoch,
            banned: self.ban.clone(),
        }))
    }
}
