//! `dedupe check`.

use quorate_plane::dedupe::DEFAULT_WINDOW;

use super::What;
use crate::prelude::*;

/// Notes a content as seen, and says whether it is the first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Check {
    #[serde(flatten)]
    pub what: What,
    /// For how long it counts as seen; a scope has one window; 24h if it is not said.
    #[serde(default)]
    pub window: Option<Span>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Seen {
    /// `first` or `duplicate`.
    pub outcome: &'static str,
    pub scope: String,
    pub hash: String,
    /// When it was first seen; Unix seconds.
    pub seen_at: f64,
}

impl Verb for Check {
    const ABOUT: About =
        About::new("dedupe", "check", Method::Post, "/dedupe/check", Level::Work, Effect::Hot);
    type Answer = Seen;

    fn example() -> Value {
        json!({ "scope": "webhooks", "content": "delivery 42", "window": "1h" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Seen>, Fault> {
        let (scope, hash) = (&self.what.scope, self.what.hash()?);
        let window = self.window.map_or(DEFAULT_WINDOW, |window| window.0);
        let dedupe = call.plane.dedupe().asked(call.request.as_deref());
        let outcome = dedupe.check(scope, &hash, window).await?;
        Ok(Verdict::from(outcome).map(|seen| Seen {
            outcome: if seen.first { "first" } else { "duplicate" },
            scope: scope.to_string(),
            hash: hash.to_string(),
            seen_at: seen.seen_at,
        }))
    }
}
