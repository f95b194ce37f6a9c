//! Sealing: chaining batches of records, by any number of processes.

use std::time::Duration;

use quorate_store::{Arg, Result, cmd};

use super::canonical::{Batch, NONE, Raw};
use super::{Sealed, Trail, script};
use crate::outcome::{Reply, undecodable};

/// Most records of one batch.
pub const BATCH: usize = 500;
/// How long a record waits for others to be sealed with.
const WAIT: Duration = Duration::from_secs(1);
/// How long a sealer is taken to be alive; a batch takes milliseconds.
const LEASE: Duration = Duration::from_secs(5);
/// Most batches of one run, so that a run ends.
const RUN: usize = 100;

/// A batch that a sealer has claimed: what it comes after.
pub(super) struct Claimed {
    claim: String,
    pub(super) batch: u64,
    pub(super) last: String,
    pub(super) previous: String,
}

impl Trail<'_> {
    /// Seals what has waited for a second, or fills a batch. Maintenance does so every second.
    pub async fn seal(&self) -> Result<Sealed> {
        let mut done = Sealed::default();
        for _ in 0..RUN {
            let Some(claimed) = self.claim().await? else { break };
            match self.seal_batch(&claimed).await? {
                0 => break,
                records => done.records += records,
            }
            done.batches += 1;
        }
        Ok(done)
    }

    async fn claim(&self) -> Result<Option<Claimed>> {
        let own = self.plane.keys().quorate();
        let claim = crate::random_id();
        let args = [
            Arg::from(claim.as_str()),
            Arg::from(crate::locks::millis(LEASE)),
            Arg::from(BATCH),
            Arg::from(crate::locks::millis(WAIT)),
        ];
        let keys = [own.trail(), own.trail_head()];
        let reply: Reply = self.plane.store().repeatable().run(&script::CLAIM, &keys, &args).await?;
        if reply.first() == "nothing" {
            return Ok(None);
        }
        let words = Self::outcome(reply, "claimed")?;
        let [batch, last, previous] = &words[..] else { return Err(undecodable("claimed")) };
        let batch = batch.parse().map_err(|_| undecodable(batch))?;
        let previous = if previous.is_empty() { NONE } else { previous }.to_owned();
        Ok(Some(Claimed { claim, batch, last: last.clone(), previous }))
    }

    /// How many records it sealed; none, if another sealer was faster or nothing was there.
    async fn seal_batch(&self, claimed: &Claimed) -> Result<u64> {
        let records = self.records(&format!("({}", claimed.last), "+", BATCH).await?;
        let (Some(first), Some(last)) = (records.first(), records.last()) else { return Ok(0) };
        let number = claimed.batch + 1;
        let mut batch = Batch::after(number, &claimed.previous);
        records.iter().for_each(|record| batch.add(record));
        let args = [
            Arg::from(claimed.claim.as_str()),
            Arg::from(number),
            Arg::from(first.0.as_str()),
            Arg::from(last.0.as_str()),
            Arg::from(records.len()),
            Arg::from(claimed.previous.as_str()),
            Arg::from(batch.finish()),
            Arg::from(NONE),
        ];
        let own = self.plane.keys().quorate();
        let keys = [own.trail_seals(), own.trail_head()];
        // After a lost reply a repeat finds the chain grown and says so; the records are sealed all the same.
        let reply: Reply = self.plane.store().repeatable().run(&script::COMMIT, &keys, &args).await?;
        match reply.first() {
            "overtaken" => Ok(0),
            _ => Self::outcome(reply, "sealed").map(|_| records.len() as u64),
        }
    }

    /// When the oldest record that is not sealed was written, in Unix milliseconds, and how many there are.
    pub(super) async fn waiting(&self) -> Result<Option<(u64, u64)>> {
        let head = self.plane.keys().quorate().trail_head();
        let mut get = cmd("HMGET");
        get.arg(head.as_str()).arg("last").arg("recorded").arg("sealed");
        let (last, recorded, sealed): (Option<String>, Option<u64>, Option<u64>) =
            self.plane.store().query(&get).await?;
        let from = last.map_or("-".to_owned(), |last| format!("({last}"));
        let first = self.records(&from, "+", 1).await?;
        let since = first.first().and_then(|(id, _)| id.split('-').next()?.parse().ok());
        let waiting = recorded.unwrap_or(0).saturating_sub(sealed.unwrap_or(0));
        Ok(since.map(|since| (since, waiting)))
    }

    /// A page of records, oldest first.
    pub(super) async fn records(&self, from: &str, to: &str, most: usize) -> Result<Vec<Raw>> {
        let trail = self.plane.keys().quorate().trail();
        self.plane
            .store()
            .query(cmd("XRANGE").arg(trail.as_str()).arg(from).arg(to).arg("COUNT").arg(most))
            .await
    }
}
