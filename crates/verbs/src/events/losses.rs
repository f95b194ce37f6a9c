//! `events losses`.

use super::{Happened, listed};
use crate::prelude::*;

/// Lists what was destroyed before a group had acknowledged it, by stream and group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Losses {}

/// Lists each loss by itself, the newest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct LossLog {
    /// Most losses; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

/// What one group of one stream lost in all.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Loss {
    pub stream: String,
    pub group: String,
    /// Entries the group never got.
    pub unread: u64,
    /// Entries it got and had not acknowledged.
    pub pending: u64,
    /// Whether both are exact, or bounds.
    pub exact: bool,
    /// Of the last loss: `foreign`, `parked` or `overflow`.
    pub cause: String,
    pub first_at: String,
    pub last_at: String,
}

impl Verb for Losses {
    const ABOUT: About =
        About::new("events", "losses", Method::Get, "/events/losses", Level::Read, Effect::None);
    type Answer = Vec<Loss>;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Loss>>, Fault> {
        let losses = call.plane.events().losses().await?;
        let losses = losses.into_iter().map(|loss| Loss {
            stream: loss.stream,
            group: loss.group,
            unread: loss.unread,
            pending: loss.pending,
            exact: loss.exact,
            cause: loss.cause,
            first_at: loss.first_at.iso(),
            last_at: loss.last_at.iso(),
        });
        Ok(Verdict::Done(losses.collect()))
    }
}

impl Verb for LossLog {
    const ABOUT: About =
        About::new("events", "loss_log", Method::Get, "/events/losses/log", Level::Read, Effect::None)
            .typed("events losses --log");
    type Answer = Vec<Happened>;

    fn example() -> Value {
        json!({ "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Happened>>, Fault> {
        Ok(listed(call.plane.events().ledger(self.limit.map_or(100, |limit| limit.0)).await?))
    }
}
