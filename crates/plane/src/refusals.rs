//! How often the plane refused what was asked of it, by code, over HTTP, MCP or at a command line.
//!
//! A refusal is the everyday answer of a busy plane, so it costs no call of its own: a process keeps its counts for a
//! moment and adds them to those in the store, where every scrape finds them whoever was refused. Who dies in between
//! takes along what it had counted since. Libraries that use the plane directly get their refusals as answers, and
//! count them if they want to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quorate_store::{Result, cmd};
use tokio::time::sleep;

use crate::Plane;
use crate::hall::lock;

/// How long counts are kept.
const SOON: Duration = Duration::from_secs(1);

/// What has been counted and not been added yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refusals(Arc<Mutex<BTreeMap<String, u64>>>);

impl Plane {
    /// Counts a refusal.
    pub fn refused(&self, code: &str) {
        let mut counts = lock(&self.refusals.0);
        let first = counts.is_empty();
        *counts.entry(code.to_owned()).or_default() += 1;
        if first {
            let plane = self.clone();
            tokio::spawn(async move {
                sleep(SOON).await;
                // It is a figure: that it could not be written changes nothing about the refusals.
                let _ = plane.note_refusals().await;
            });
        }
    }

    /// Adds what this process has counted to what the store has.
    pub async fn note_refusals(&self) -> Result<()> {
        let counts = std::mem::take(&mut *lock(&self.refusals.0));
        if counts.is_empty() {
            return Ok(());
        }
        let (store, key) = (self.store().natural(), self.keys().quorate().refusals());
        for (code, count) in counts {
            store.query::<i64>(cmd("HINCRBY").arg(key.as_str()).arg(code).arg(count)).await?;
        }
        Ok(())
    }

    /// What was refused, by code.
    pub async fn refusals(&self) -> Result<BTreeMap<String, u64>> {
        self.note_refusals().await?;
        let counts: BTreeMap<String, String> =
            self.store().query(cmd("HGETALL").arg(self.keys().quorate().refusals().as_str())).await?;
        // What others wrote there and is no number is nobody's count.
        Ok(counts.into_iter().filter_map(|(code, count)| Some((code, count.parse().ok()?))).collect())
    }
}
