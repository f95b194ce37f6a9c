//! `dead clusters`.

use quorate_plane::dead_letters::Cluster;

use crate::prelude::*;

/// Lists the failures that dead letters have in common, the latest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Clusters {
    /// Only failures that have open letters; all of them if it is not said.
    #[serde(default)]
    pub open: bool,
    /// Most failures to list; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

impl Verb for Clusters {
    const ABOUT: About =
        About::new("dead", "clusters", Method::Get, "/dead/clusters", Level::Read, Effect::None)
            .typed("dead ls --clusters");
    type Answer = Vec<Cluster>;

    fn example() -> Value {
        json!({ "open": true, "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Cluster>>, Fault> {
        let limit = self.limit.map_or(100, Within::count);
        Ok(Verdict::Done(call.plane.dead_letters().clusters(self.open, limit).await?))
    }
}
