//! `locks waits`.

use crate::prelude::*;

/// Lists who waits for which lock, and who is in the way.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Waits {
    /// Most waits to list; 1,000 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

/// One wait.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Wait {
    pub agent: String,
    pub lock: String,
    /// Those who hold it, or wait before this agent, and do not go together with it.
    pub behind: Vec<String>,
}

impl Verb for Waits {
    const ABOUT: About = About::new("locks", "waits", Method::Get, "/locks/waits", Level::Read, Effect::None);
    type Answer = Vec<Wait>;

    fn example() -> Value {
        json!({ "limit": 100 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Wait>>, Fault> {
        let all = call.plane.locks().waits(self.limit.map_or(1_000, Within::count)).await?;
        Ok(Verdict::Done(all.into_iter().map(|(agent, lock, behind)| Wait { agent, lock, behind }).collect()))
    }
}
