//! What the search does by itself: documents go when their time is over or their service went, and what other clients wrote
//! is taken in. Any number of processes may do it, and each does a bounded piece at a time.

use quorate_store::{Arg, Result, cmd, pipe};

use super::Search;
use crate::Outcome;
use crate::outcome::{Reply, undecodable};

/// Documents that one script takes away: each is in a dozen lists, and nobody shall wait behind them for long.
const FEW: u64 = 25;
/// Scripts of one turn.
const TURN: usize = 400;
/// Documents looked at in one turn for such that other clients wrote.
const SCANNED: usize = 20_000;

impl Search<'_> {
    /// One turn of everything; how many documents went.
    pub async fn tend_all(&self) -> Result<u64> {
        let gone = self.prune().await? + self.leave().await?;
        self.catch_up().await?;
        Ok(gone)
    }

    /// Takes away what is past its time; how many documents that were.
    pub async fn prune(&self) -> Result<u64> {
        let args = [Arg::from(self.index()), Arg::from(FEW)];
        let mut pruned = 0;
        for _ in 0..TURN {
            let reply = self.run(&self.plane.search_scripts().prune, &args).await?;
            let (some, looked) = counts(reply, "pruned")?;
            pruned += some;
            if looked < FEW {
                break;
            }
        }
        Ok(pruned)
    }

    /// Takes away task documents of services that went; how many that were.
    pub async fn leave(&self) -> Result<u64> {
        let args = [Arg::from(self.index()), Arg::from(FEW)];
        let mut left = 0;
        for _ in 0..TURN {
            let reply = self.run(&self.plane.search_scripts().step, &args).await?;
            let (some, more) = counts(reply, "left")?;
            left += some;
            if more == 0 {
                break;
            }
        }
        Ok(left)
    }

    /// Takes into our views what other clients put into the seed's list of all documents, where it has more than ours.
    pub async fn catch_up(&self) -> Result<usize> {
        let all = self.plane.keys().relayna().task_documents();
        let view = self.view("all")?;
        let mut both = pipe();
        both.cmd("SCARD").arg(all.as_str());
        both.cmd("ZCARD").arg(view.as_str());
        let (theirs, ours): (u64, u64) = self.plane.store().pipeline(&both).await?;
        let (mut taken, mut looked) = (0, 0);
        let mut cursor = if theirs > ours { *self.plane.search_cursor() } else { return Ok(0) };
        while looked < SCANNED {
            let mut scan = cmd("SSCAN");
            scan.arg(all.as_str()).arg(cursor).arg("COUNT").arg(1_000);
            let (next, ids): (u64, Vec<String>) = self.plane.store().query(&scan).await?;
            let missing = self.unlisted(view.as_str(), &ids).await?;
            taken += self.tend(&missing, None).await?;
            looked += ids.len().max(100);
            cursor = next;
            if cursor == 0 {
                break;
            }
        }
        *self.plane.search_cursor() = cursor;
        Ok(taken)
    }
}

/// The two numbers of an answer. A key of another type ends the turn as a fault would.
fn counts(reply: Reply, word: &str) -> Result<(u64, u64)> {
    match reply.expect(word)? {
        Outcome::Done(words) => match &words[..] {
            [one, two] => Ok((one.parse().unwrap_or_default(), two.parse().unwrap_or_default())),
            _ => Err(undecodable(word)),
        },
        Outcome::Refused(refusal) => Err(super::bad(refusal.reason)),
    }
}
