//! What a worker says of the items it holds: done, failed, still at it, or not for me.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Error, ErrorKind, Micros, Result};

use super::Queues;
use super::claim::places;
use super::model::{MAX_BATCH, MAX_LEASE, Nacked, Token};
use crate::Outcome;
use crate::dead_letters::fingerprint;
use crate::locks::millis;
use crate::outcome::{Reply, undecodable};

/// Longest text of a failure that is kept, in bytes.
const REASON: usize = 4_096;

/// How an attempt failed.
#[derive(Debug, Clone, Default)]
pub struct Nack {
    /// What went wrong, for people and for the fingerprint.
    pub error: String,
    /// How long until it comes again; without it, the backoff.
    pub delay: Option<Duration>,
}

impl Queues<'_> {
    /// Acknowledges items of one queue; gives the places of those that no longer counted.
    pub async fn ack(
        &self,
        agent: &AgentId,
        epoch: Option<u64>,
        tokens: &[Token],
    ) -> Result<Outcome<Vec<usize>>> {
        match one_queue(tokens)? {
            Some(_) => self.ack_together(agent, epoch, tokens).await,
            None => Ok(Outcome::Done(Vec::new())),
        }
    }

    /// The same with a call of its own.
    pub(super) async fn ack_alone(
        &self,
        agent: &AgentId,
        epoch: Option<u64>,
        tokens: &[Token],
    ) -> Result<Outcome<Vec<usize>>> {
        let Some(queue) = one_queue(tokens)? else { return Ok(Outcome::Done(Vec::new())) };
        let lane = self.plane.queue_calls().lane();
        let mut args = vec![
            Arg::from(queue),
            Arg::from(agent.as_key()),
            Arg::from(epoch_text(epoch)),
            Arg::from(lane.process.as_str()),
            Arg::from(if self.once { "" } else { lane.slot.as_str() }),
            Arg::from(lane.number.as_str()),
        ];
        args.extend(tokens.iter().map(|token| Arg::from(token.mark())));
        let none: [&str; 0] = [];
        let reply: Reply = self.store().run(&self.plane.queue_scripts().ack, &none, &args).await?;
        Ok(match reply.split() {
            Ok((stale, _)) => Outcome::Done(places(&stale)),
            Err(refusal) => Outcome::Refused(refusal),
        })
    }

    /// Says that an attempt failed.
    pub async fn nack(
        &self,
        agent: &AgentId,
        epoch: Option<u64>,
        token: &Token,
        why: &Nack,
    ) -> Result<Outcome<Nacked>> {
        if why.delay.is_some_and(|delay| delay > MAX_LEASE * 366) {
            return Err(bad("it would come again in more than a year"));
        }
        let lane = self.plane.queue_calls().lane();
        let reason = shortened(&why.error);
        let args = [
            Arg::from(token.queue.name()),
            Arg::from(agent.as_key()),
            Arg::from(epoch_text(epoch)),
            Arg::from(lane.process.as_str()),
            Arg::from(if self.once { "" } else { lane.slot.as_str() }),
            Arg::from(lane.number.as_str()),
            Arg::from(token.mark()),
            Arg::from(why.delay.map_or(-1, millis)),
            Arg::from(chance()),
            Arg::from(reason),
            Arg::from(fingerprint(reason)),
            Arg::from(self.settings().await?.max_attempts),
        ];
        let none: [&str; 0] = [];
        let reply: Reply = self.store().run(&self.plane.queue_scripts().nack, &none, &args).await?;
        let (first, mut words) = match reply.split() {
            Ok(parts) => parts,
            Err(refusal) => return Ok(Outcome::Refused(refusal)),
        };
        let nacked = match (first.as_str(), words.pop()) {
            ("retry", Some(due)) => due.parse().ok().map(|ms| Nacked::Retry(Micros::from_millis(ms))),
            ("dead", Some(letter)) => Some(Nacked::Dead(letter)),
            ("stale", _) => Some(Nacked::Stale),
            _ => None,
        };
        nacked.map(Outcome::Done).ok_or_else(|| undecodable(&first))
    }

    /// Gives more time for items of one queue; the places of those that no longer count, and the new end.
    pub async fn extend(
        &self,
        agent: &AgentId,
        epoch: Option<u64>,
        tokens: &[Token],
        lease: Duration,
    ) -> Result<Outcome<(Vec<usize>, Micros)>> {
        if lease.as_millis() == 0 || lease > MAX_LEASE {
            return Err(bad("a lease is from 1 ms to a day"));
        }
        let Some(queue) = one_queue(tokens)? else {
            return Ok(Outcome::Done((Vec::new(), Micros::default())));
        };
        let mut args = vec![
            Arg::from(queue),
            Arg::from(agent.as_key()),
            Arg::from(epoch_text(epoch)),
            Arg::from(millis(lease)),
        ];
        args.extend(tokens.iter().map(|token| Arg::from(token.mark())));
        let none: [&str; 0] = [];
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.plane.queue_scripts().extend, &none, &args).await?;
        Ok(match reply.split() {
            Ok((stale, words)) => {
                let till = words.first().and_then(|till| till.parse().ok()).map(Micros::from_millis);
                Outcome::Done((places(&stale), till.ok_or_else(|| undecodable("extend"))?))
            }
            Err(refusal) => Outcome::Refused(refusal),
        })
    }

    /// Hands items of one queue back that were not worked on; no attempt is counted. Gives how many there were.
    pub async fn give_back(
        &self,
        agent: &AgentId,
        epoch: Option<u64>,
        tokens: &[Token],
    ) -> Result<Outcome<u64>> {
        self.give_back_for(agent, epoch, tokens, Duration::ZERO).await
    }

    /// The same for items that cannot be worked on yet: nobody gets them before the pause is over.
    pub async fn give_back_for(
        &self,
        agent: &AgentId,
        epoch: Option<u64>,
        tokens: &[Token],
        pause: Duration,
    ) -> Result<Outcome<u64>> {
        let Some(queue) = one_queue(tokens)? else { return Ok(Outcome::Done(0)) };
        let mut args = vec![
            Arg::from(queue),
            Arg::from(agent.as_key()),
            Arg::from(epoch_text(epoch)),
            Arg::from(millis(pause.min(MAX_LEASE))),
        ];
        args.extend(tokens.iter().map(|token| Arg::from(token.mark())));
        let none: [&str; 0] = [];
        // A second delivery finds nothing to hand back.
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.plane.queue_scripts().give_back, &none, &args).await?;
        Ok(match reply.split() {
            Ok((count, _)) => Outcome::Done(count.parse().unwrap_or_default()),
            Err(refusal) => Outcome::Refused(refusal),
        })
    }
}

/// The name of the queue that all tokens are of; none without tokens.
fn one_queue(tokens: &[Token]) -> Result<Option<String>> {
    let Some(first) = tokens.first() else { return Ok(None) };
    if tokens.len() > MAX_BATCH || tokens.iter().any(|token| token.queue != first.queue) {
        return Err(bad(&format!("a call is about one queue, and about {MAX_BATCH} items at most")));
    }
    Ok(Some(first.queue.name()))
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "queues", what)
}

pub(super) fn epoch_text(epoch: Option<u64>) -> String {
    epoch.map(|epoch| epoch.to_string()).unwrap_or_default()
}

fn shortened(text: &str) -> &str {
    let end = (0..=REASON.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    if end == 0 { "it failed without a word" } else { &text[..end] }
}

/// From 0 to 1000, so that retries of many do not come together.
fn chance() -> u64 {
    u64::from_str_radix(&crate::random_id()[..8], 16).unwrap_or_default() % 1_001
}
