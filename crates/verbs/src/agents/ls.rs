//! `agents ls`.

use quorate_catalog::ids::WordId;
use quorate_plane::agents::{Page, Query};

use crate::prelude::*;

/// Lists agents, the longest silent first. A page is bounded; `cursor` says where the next one begins.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// Only those heard from within 300 s.
    #[serde(default)]
    pub live: bool,
    /// Only those with this role; sorted by name.
    #[serde(default)]
    pub role: Option<Said<WordId>>,
    /// Only those with this capability; sorted by name.
    #[serde(default)]
    pub capability: Option<Said<WordId>>,
    /// Most agents on a page; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
    /// Where the page before ended.
    #[serde(default)]
    pub cursor: Option<String>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("agents", "ls", Method::Get, "/agents", Level::Read, Effect::None);
    type Answer = Page;

    fn example() -> Value {
        json!({ "live": true, "limit": 100 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Page>, Fault> {
        let query = Query {
            live: self.live,
            role: self.role.as_ref().map(|role| role.0.clone()),
            capability: self.capability.as_ref().map(|capability| capability.0.clone()),
            limit: self.limit.map_or(100, Within::count),
            cursor: self.cursor.clone(),
        };
        Ok(Verdict::Done(call.plane.agents().ls(&query).await?))
    }
}
