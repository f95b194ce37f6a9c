//! Messages that were not acknowledged in time.

use quorate_store::{Arg, Result};

use super::{Messages, keys};
use crate::Outcome;
use crate::outcome::{Reply, undecodable};

/// Messages looked at by one script, and scripts in one tick.
const AT_ONCE: usize = 100;
const ROUNDS: usize = 10;

impl Messages<'_> {
    /// Tells the sender of every message whose time is over, and the operator where one is set; how many. Safe in any
    /// number of processes: the script that tells also takes the message off the list.
    pub async fn escalate(&self) -> Result<u64> {
        let mut told = 0;
        for _ in 0..ROUNDS {
            let args = [Arg::from(crate::random_id()), Arg::from(AT_ONCE)];
            let keys = keys::escalate(self.plane.keys());
            // What was told is off the list, so a lost reply may be asked for again.
            let store = self.plane.store().repeatable();
            let reply: Reply = store.run(&self.plane.message_scripts().escalate, &keys, &args).await?;
            let Outcome::Done(words) = reply.expect("escalated")? else { return Ok(told) };
            let number = |at: usize| words.get(at).and_then(|text| text.parse::<u64>().ok());
            let (done, due) = number(0).zip(number(1)).ok_or_else(|| undecodable("escalated"))?;
            told += done;
            if due < AT_ONCE as u64 {
                break;
            }
        }
        Ok(told)
    }
}
