//! `observations ls`.

use crate::events::{Happened, listed};
use crate::prelude::*;

/// Lists pending observations, or dead ones, the newest of them with the oldest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// The dead ones, with their reason.
    #[serde(default)]
    pub dead: bool,
    /// Most observations; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

impl Verb for Ls {
    const ABOUT: About =
        About::new("observations", "ls", Method::Get, "/observations", Level::Read, Effect::None).tail();
    type Answer = Vec<Happened>;

    fn example() -> Value {
        json!({ "dead": true, "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Happened>>, Fault> {
        let limit = self.limit.map_or(100, |limit| limit.0);
        Ok(listed(call.plane.observations().newest(self.dead, limit).await?))
    }
}
