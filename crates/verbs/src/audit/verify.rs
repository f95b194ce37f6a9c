//! `audit verify`.

use quorate_plane::trail::{Anchor, Verified};

use crate::prelude::*;

/// Says whether any record of the trail was edited, deleted, put in or moved.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Verify {
    /// A head that you noted elsewhere, as BATCH:HASH; the chain must still have it.
    #[serde(default)]
    pub anchor: Option<Said<Anchor>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Whole {
    #[serde(flatten)]
    pub found: Verified,
    /// `verified`, or `changed` if there are findings.
    pub outcome: &'static str,
    /// The head of the chain, as BATCH:HASH; note it elsewhere.
    pub anchor: Option<String>,
}

impl Verb for Verify {
    const ABOUT: About =
        About::new("audit", "verify", Method::Get, "/audit/verify", Level::Operate, Effect::None);
    type Answer = Whole;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Whole>, Fault> {
        let found = match &self.anchor {
            Some(anchor) => call.plane.trail().verify_against(anchor).await?,
            None => call.plane.trail().verify().await?,
        };
        let outcome = if found.faults == 0 { "verified" } else { "changed" };
        let anchor = found.head.as_ref().map(ToString::to_string);
        Ok(Verdict::Done(Whole { found, outcome, anchor }))
    }
}
