//! `locks ls`.

use quorate_catalog::ids::AgentId;
use quorate_plane::locks::Hold;

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
    pub acquired_at: String,
    /// When it passes on, unless it is renewed.
    pub expires_at: String,
}

impl Held {
    /// A hold is kept as `LOCK MODE`.
    fn read(hold: &Hold) -> Self {
        let (lock, mode) = hold.member.split_once(' ').unwrap_or((&hold.member, ""));
        // A path is kept encoded; what is shown can be typed back.
        let path = lock.strip_prefix("file:").and_then(quorate_catalog::rule::decode);
        let lock = path.map_or_else(|| lock.to_owned(), |path| format!("file:{path}"));
        let (lock, mode) = match (mode, mode.strip_prefix("a:")) {
            (_, Some(area)) => (format!("{lock}:{area}"), "exclusive"),
            ("s", _) => (lock, "shared"),
            _ => (lock, "exclusive"),
        };
        let (acquired_at, expires_at) = (hold.acquired_at.iso(), hold.expires_at.iso());
        Self { lock, agent: hold.agent.clone(), mode, acquired_at, expires_at }
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
        let held = call.plane.locks().terms(self.agent.as_deref(), limit).await?;
        Ok(Verdict::Done(held.iter().map(Held::read).collect()))
    }
}
