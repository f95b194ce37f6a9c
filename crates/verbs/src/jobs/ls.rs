//! `jobs ls`.

use quorate_plane::jobs::{Page, Query};

use crate::prelude::*;

/// Lists the jobs to come, the next one first. A page is bounded; `cursor` says where the next one begins.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// Those that have ended, the last one first, instead of those to come.
    #[serde(default)]
    pub ended: bool,
    /// Most jobs on a page; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
    /// Where the page before ended.
    #[serde(default)]
    pub cursor: Option<String>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("jobs", "ls", Method::Get, "/jobs", Level::Read, Effect::None);
    type Answer = Page;

    fn example() -> Value {
        json!({ "limit": 100 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Page>, Fault> {
        let limit = self.limit.map_or(100, Within::count);
        let query = Query { ended: self.ended, limit, cursor: self.cursor.clone() };
        Ok(Verdict::Done(call.plane.jobs().ls(&query).await?))
    }
}
