//! `agents register`.

use quorate_catalog::ids::{AgentId, WordId};
use quorate_plane::agents::{DEFAULT_LEASE, Registration};

use crate::prelude::*;

/// Registers an agent, or says more about one that is registered.
///
/// Without an epoch this is a new incarnation: it gets a higher epoch, writes of the earlier ones are refused from then on, and
/// what they held passes on: claims are back on their queues, locks go to whoever is next. With the epoch of the living incarnation it is the same one again. Either way what is not stated stays as it
/// is: role, capabilities, capacity, and every field of the blob that is not named.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Register {
    /// The agent: letters, digits and . _ @ + -.
    pub agent: Said<AgentId>,
    /// The epoch of the living incarnation, to register it again; a new incarnation has none.
    #[serde(default)]
    pub epoch: Option<u64>,
    /// What kind of agent it is, such as planner.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// A role it is found by.
    #[serde(default)]
    pub role: Option<Said<WordId>>,
    /// What it works on.
    #[serde(default)]
    pub task: Option<String>,
    /// What it can do and is found by, up to 64 words; they replace what was stated before.
    #[serde(default)]
    pub capabilities: Vec<Said<WordId>>,
    /// Most tasks it has at once: task locks and claims together.
    #[serde(default)]
    pub max_tasks: Option<u32>,
    /// How long what it holds outlasts its last sign of life, from 1s to 24h; 60s if it is not said.
    #[serde(default)]
    pub lease: Option<Lease>,
    /// A JSON object of its own, or its text; merged field by field into the one that is there.
    #[serde(default)]
    pub blob: Option<Blob>,
    /// The agent it works for.
    #[serde(default)]
    pub parent: Option<Said<AgentId>>,
    /// Register a sub-agent under the name AGENT-sub-NAME, with the agent as its parent; say neither `parent` nor `epoch`.
    #[serde(default)]
    pub as_subagent: Option<Said<AgentId>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Registered {
    /// `registered`.
    pub outcome: &'static str,
    pub agent: String,
    pub parent: Option<String>,
    /// What every later write of this incarnation says.
    pub epoch: u64,
    /// Until when what it holds is its own without another sign of life, in ISO 8601.
    pub lease_until: String,
}

impl Register {
    fn wanted(&self) -> Result<Registration, Fault> {
        let own = self.agent.0.clone();
        let (agent, parent) = match &self.as_subagent {
            Some(_) if self.parent.is_some() => {
                return Err(Fault::bad("parent", "the parent of a sub-agent is the agent itself"));
            }
            Some(_) if self.epoch.is_some() => {
                return Err(Fault::bad("epoch", "a sub-agent is a new incarnation"));
            }
            Some(name) => {
                let name = AgentId::parse(&format!("{own}-sub-{}", name.0));
                (name.map_err(|why| Fault::bad("as_subagent", why))?, Some(own))
            }
            None => (own, self.parent.as_ref().map(|parent| parent.0.clone())),
        };
        Ok(Registration {
            epoch: self.epoch,
            kind: self.kind.clone(),
            role: self.role.as_ref().map(|role| role.0.clone()),
            task: self.task.clone(),
            capabilities: self.capabilities.iter().map(|word| word.0.clone()).collect(),
            max_tasks: self.max_tasks,
            lease: self.lease.map_or(DEFAULT_LEASE, |lease| lease.0),
            blob: self.blob.as_ref().map(|blob| blob.0.clone()),
            parent,
            ..Registration::new(agent)
        })
    }
}

impl Verb for Register {
    const ABOUT: About =
        About::new("agents", "register", Method::Post, "/agents", Level::Work, Effect::Change)
            .by("agent")
            .of(&["agent"])
            .also(&[("id", "agent"), ("kind", "type"), ("capability", "capabilities")]);
    type Answer = Registered;

    fn example() -> Value {
        json!({ "agent": "worker-1", "type": "builder", "role": "build", "capabilities": ["rust"], "lease": "60s" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Registered>, Fault> {
        let wanted = self.wanted()?;
        let outcome = call.plane.agents().asked(call.request.as_deref()).register(&wanted).await?;
        Ok(Verdict::from(outcome).map(|done| Registered {
            outcome: "registered",
            agent: wanted.agent.to_string(),
            parent: wanted.parent.map(|parent| parent.to_string()),
            epoch: done.epoch,
            lease_until: done.lease_until.iso(),
        }))
    }
}
