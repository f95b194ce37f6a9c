//! `dead ls`.

use quorate_plane::dead_letters::Letter;

use super::Which;
use crate::prelude::*;

/// Lists dead letters, the newest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    #[serde(flatten)]
    pub which: Which,
    /// Most letters to list; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("dead", "ls", Method::Get, "/dead", Level::Read, Effect::None);
    type Answer = Vec<Letter>;

    fn example() -> Value {
        json!({ "queue": "normal", "state": "open", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Letter>>, Fault> {
        let filter = self.which.filter(self.limit.map_or(100, Within::count));
        Ok(Verdict::Done(call.plane.dead_letters().list(&filter).await?))
    }
}
