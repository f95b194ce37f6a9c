//! `agents heartbeat`.

use quorate_catalog::ids::AgentId;

use crate::prelude::*;

/// Says that an agent is alive, and asks what waits for it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Heartbeat {
    /// The agent.
    pub agent: Said<AgentId>,
    /// Its epoch, as registering gave it; an earlier incarnation is refused.
    #[serde(default)]
    pub epoch: Option<u64>,
    /// Knock on the agent's behalf instead: it is told, and it does not count as alive. No epoch is looked at.
    #[serde(default)]
    pub poke: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Beaten {
    /// The agent is alive.
    Acked {
        /// `acked`.
        outcome: &'static str,
        agent: String,
        epoch: u64,
        /// Until when what it holds is its own, in ISO 8601.
        lease_until: String,
        /// Messages in its inbox that it has not acknowledged.
        messages: u64,
        /// Those of them that it has never read.
        unread: u64,
        /// Why it is to finish and take nothing new.
        drain: Option<String>,
    },
    /// Somebody knocked.
    Poked {
        /// `poked`.
        outcome: &'static str,
        agent: String,
    },
}

impl Verb for Heartbeat {
    const ABOUT: About = About::new(
        "agents",
        "heartbeat",
        Method::Post,
        "/agents/{agent}/heartbeat",
        Level::Work,
        Effect::Hot,
    )
    .by("agent")
    .also(&[("id", "agent")]);
    type Answer = Beaten;

    fn example() -> Value {
        json!({ "agent": "worker-1", "epoch": 1 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Beaten>, Fault> {
        let (agents, agent) = (call.plane.agents(), self.agent.to_string());
        if self.poke && self.epoch.is_some() {
            return Err(Fault::bad("epoch", "whoever knocks has none of it"));
        }
        if self.poke {
            let outcome = agents.poke(&self.agent).await?;
            return Ok(Verdict::from(outcome).map(|()| Beaten::Poked { outcome: "poked", agent }));
        }
        let outcome = agents.heartbeat(&self.agent, self.epoch).await?;
        Ok(Verdict::from(outcome).map(|beat| Beaten::Acked {
            outcome: "acked",
            agent,
            epoch: beat.epoch,
            lease_until: beat.lease_until.iso(),
            messages: beat.messages,
            unread: beat.unread,
            drain: beat.drain,
        }))
    }
}
