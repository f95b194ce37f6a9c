//! `locks ls`.

use quorate_catalog::ids::AgentId;

use crate::prelude::*;

/// Lists what is held.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// Only what this agent holds.
    #[serde(default)]
    pub agent: Option<Said<AgentId>>,
    /// Most locks to list; 1,000 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 100_000>>,
}

/// A lock and who holds it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Held {
    pub lock: String,
    pub agent: String,
    /// `exclusive` or `shared`.
    pub mode: &'static str,
}

impl Held {
    /// A hold is kept as `LOCK MODE`.
    fn read(agent: String, member: &str) -> Self {
        let (lock, mode) = member.split_once(' ').unwrap_or((member, ""));
        // A path is kept encoded; what is shown can be typed back.
        let path = lock.strip_prefix("file:").and_then(quorate_catalog::rule::decode);
        let lock = path.map_or_else(|| lock.to_owned(), |path| format!("file:{path}"));
        match (mode, mode.strip_prefix("a:")) {
            (_, Some(area)) => Self { lock: format!("{lock}:{area}"), agent, mode: "exclusive" },
            ("s", _) => Self { lock, agent, mode: "shared" },
            _ => Self { lock, agent, mode: "exclusive" },
        }
    }
}

impl Verb for Ls {
    const ABOUT: About = About::new("locks", "ls", Method::Get, "/locks", Level::Read, Effect::None);
    type Answer = Vec<Held>;

    fn example() -> Value {
        json!({ "agent": "worker-1" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Held>>, Fault> {
        let limit = self.limit.map_or(1_000, Within::count);
        let held: Vec<(String, String)> = match &self.agent {
            Some(agent) => {
                let all = call.plane.locks().held_by(agent).await?;
                all.into_iter().take(limit).map(|member| (agent.to_string(), member)).collect()
            }
            None => call.plane.locks().held(limit).await?,
        };
        Ok(Verdict::Done(held.into_iter().map(|(agent, member)| Held::read(agent, &member)).collect()))
    }
}
