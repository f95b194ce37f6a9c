//! How many writes came too late and were refused, wherever in the plane that was.
//!
//! A refused write leaves nothing behind in the store, so who was refused counts it there, in a call of its own: the figure
//! is of the plane, whether a server, a command line or a library asked. Who dies in between is not counted. Queues count
//! late answers by themselves.

use quorate_store::{Result, cmd};

use crate::{Outcome, Plane};

/// What says that somebody else may have gone on: the fence of a lock, a hold, an attempt at a stage, the lease of a task.
pub const CODES: [&str; 5] = ["stale_fence", "expired", "not_owner", "stale_attempt", "no_lease"];

impl Plane {
    /// The same outcome, counted if it refuses a write that came too late.
    pub(crate) async fn late<T>(&self, outcome: Outcome<T>) -> Outcome<T> {
        if let Some(why) = outcome.refusal().filter(|why| CODES.contains(&why.code.as_str())) {
            let mut count = cmd("HINCRBY");
            count.arg(self.keys().quorate().stale_writes().as_str()).arg(&why.code).arg(1);
            // It is a figure: that it could not be written changes nothing about the refusal.
            let _: Result<i64> = self.store().natural().query(&count).await;
        }
        outcome
    }

    /// Writes that were refused because they came too late, by code.
    pub async fn stale_writes(&self) -> Result<Vec<(&'static str, u64)>> {
        let mut get = cmd("HMGET");
        get.arg(self.keys().quorate().stale_writes().as_str()).arg(&CODES);
        let counts: Vec<Option<String>> = self.store().query(&get).await?;
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).unwrap_or_default();
        Ok(CODES.into_iter().zip(counts.into_iter().map(number)).collect())
    }
}
