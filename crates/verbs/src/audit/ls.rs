//! `audit ls`.

use quorate_plane::trail::{Filter, Page};

use crate::prelude::*;
use crate::said::Moment;

/// Lists records of the trail, the newest first. `cursor` says where the next page begins.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// Only what this one did.
    #[serde(default)]
    pub who: Option<String>,
    /// Only this: NOUN.VERB, or a NOUN for all of its verbs.
    #[serde(default)]
    pub action: Option<String>,
    /// Only what was done to this.
    #[serde(default)]
    pub target: Option<String>,
    /// Only from then on: ISO 8601 with a zone.
    #[serde(default)]
    pub since: Option<Moment>,
    /// Most to list; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
    /// Where an earlier page ended.
    #[serde(default)]
    pub cursor: Option<String>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("audit", "ls", Method::Get, "/audit", Level::Operate, Effect::None);
    type Answer = Page;

    fn example() -> Value {
        json!({ "action": "agents.revoke", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Page>, Fault> {
        let filter = Filter {
            who: self.who.clone(),
            action: self.action.clone(),
            target: self.target.clone(),
            since: self.since.map(|since| since.0),
            limit: self.limit.map_or(100, Within::count),
            cursor: self.cursor.clone(),
        };
        Ok(Verdict::Done(call.plane.trail().ls(&filter).await?))
    }
}
