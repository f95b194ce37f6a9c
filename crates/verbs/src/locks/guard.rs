//! `locks guard`.

use quorate_plane::locks::Resource;

use super::named;
use crate::prelude::*;

/// Runs one write only if the token is the lock's current one.
///
/// It may name any key of the store but the plane's own, also those of sign-ins and approvals, so it needs the highest
/// level.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Guard {
    /// The lock.
    pub lock: Said<Resource>,
    /// The token of the hold.
    pub token: u64,
    /// One write on one key, word by word, such as `["SET", "key", "value"]`.
    pub write: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Written {
    /// `written`, or `unchanged` where the store had nothing to do, as for a `SET … NX` of a key that is there.
    pub outcome: &'static str,
    /// What the server answered; null for nil.
    pub reply: Option<String>,
}

impl Verb for Guard {
    const ABOUT: About =
        About::new("locks", "guard", Method::Post, "/locks/{lock}/guard", Level::Admin, Effect::Change);
    type Answer = Written;

    fn example() -> Value {
        json!({ "lock": "name:release", "token": 1, "write": ["SET", "released", "1.2"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Written>, Fault> {
        let outcome = call.plane.locks().guard(&self.lock, self.token, &self.write).await?;
        Ok(named(outcome, &self.lock).map(|done| Written {
            outcome: if done.changed { "written" } else { "unchanged" },
            reply: done.reply,
        }))
    }
}
