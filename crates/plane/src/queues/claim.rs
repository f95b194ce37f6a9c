//! Claiming items, and claiming the next while the last are acknowledged.

use quorate_catalog::Key;
use quorate_store::{Arg, Error, ErrorKind, Result, Value};

use super::model::{Claim, Claimed, MAX_BATCH, MAX_LEASE, Token};
use super::{Queues, item};
use crate::locks::millis;
use crate::outcome::undecodable;
use crate::{Outcome, Refusal};

/// The place of the argument that says whether a call may have been done.
const REPEATED: usize = 6;

impl Queues<'_> {
    /// Claims items, waiting for one as long as the claim says.
    pub async fn claim(&self, wanted: &Claim) -> Result<Outcome<Claimed>> {
        check(wanted)?;
        let salt = self.plane.store().own_name();
        match wanted.wait.is_zero() {
            true => self.claim_now(wanted, salt).await,
            // In a box, as whatever only some calls need: the others would carry room for it.
            false => Box::pin(self.claim_waiting(wanted, salt)).await,
        }
    }

    /// Claims what is there, under a name of its own unless its request has one.
    pub(super) async fn claim_now(&self, wanted: &Claim, salt: Option<String>) -> Result<Outcome<Claimed>> {
        match salt {
            Some(salt) => Box::pin(self.claim_alone(wanted, salt, false)).await,
            None => self.claim_together(wanted).await,
        }
    }

    /// Claims what is there with a call of its own, which has this name; `again` where an earlier one of the name may have
    /// been done.
    pub(super) async fn claim_alone(
        &self,
        wanted: &Claim,
        salt: String,
        again: bool,
    ) -> Result<Outcome<Claimed>> {
        let (lists, names) = self.lists(wanted);
        let mut args = self.claim_args(wanted, &salt).await?;
        if again {
            args[REPEATED] = Arg::from("1");
        }
        args.extend(names.iter().map(Arg::from));
        let store = self.plane.store().looping();
        let reply: Value = store.run(&self.plane.queue_scripts().claim, &lists, &args).await?;
        Ok(read(reply, wanted, &salt)?.map(|(_, claimed)| claimed))
    }

    /// Acknowledges items of one queue and claims the next, in one round trip. Gives the places of those tokens that no
    /// longer counted, and what was claimed.
    pub async fn complete_and_claim(
        &self,
        done: &[Token],
        wanted: &Claim,
    ) -> Result<Outcome<(Vec<usize>, Claimed)>> {
        check(wanted)?;
        let Some(first) = done.first() else {
            let claimed = self.claim_now(wanted, self.plane.store().own_name()).await?;
            return Ok(claimed.map(|claimed| (Vec::new(), claimed)));
        };
        if done.len() > MAX_BATCH || done.iter().any(|token| token.queue != first.queue) {
            return Err(bad(&format!("what is acknowledged is of one queue, {MAX_BATCH} items at most")));
        }
        let (lists, names) = self.lists(wanted);
        let lane = self.plane.queue_calls().lane();
        let salt = self.unique();
        let mut args = self.claim_args(wanted, &salt).await?;
        args.extend([
            Arg::from(first.queue.name()),
            Arg::from(done.len()),
            Arg::from(lane.process.as_str()),
            Arg::from(lane.slot.as_str()),
            Arg::from(lane.number.as_str()),
        ]);
        args.extend(done.iter().map(|token| Arg::from(token.mark())));
        args.extend(names.iter().map(Arg::from));
        let store = self.plane.store().repeatable();
        let reply: Value = store.run(&self.plane.queue_scripts().advance, &lists, &args).await?;
        read(reply, wanted, &salt)
    }

    /// The lists and names of the queues, most urgent first.
    fn lists(&self, wanted: &Claim) -> (Vec<Key>, Vec<String>) {
        let mut queues: Vec<_> = wanted.queues.iter().collect();
        queues.sort_by_key(|queue| queue.urgency());
        queues.iter().map(|queue| (queue.list(self.plane.keys()), queue.name())).unzip()
    }

    async fn claim_args<'a>(&self, wanted: &'a Claim, salt: &'a str) -> Result<Vec<Arg<'a>>> {
        Ok(vec![
            Arg::from(wanted.agent.as_key()),
            Arg::from(wanted.epoch.map(|epoch| epoch.to_string()).unwrap_or_default()),
            Arg::from(wanted.most),
            Arg::from(millis(wanted.lease)),
            Arg::from(salt),
            Arg::from(self.settings().await?.max_attempts),
            Arg::from(""),
        ])
    }
}

fn check(wanted: &Claim) -> Result<()> {
    let queues = &wanted.queues;
    let twice = || queues.iter().enumerate().any(|(place, queue)| queues[..place].contains(queue));
    if queues.is_empty() || queues.len() > 16 || twice() {
        return Err(bad("a claim names from 1 to 16 queues, each once"));
    }
    if !(1..=MAX_BATCH).contains(&wanted.most) {
        return Err(bad(&format!("a claim takes from 1 to {MAX_BATCH} items")));
    }
    if wanted.lease.as_millis() == 0 || wanted.lease > MAX_LEASE {
        return Err(bad("a lease is from 1 ms to a day"));
    }
    Ok(())
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "queues claim", what)
}

/// `{ "STALE = ENDS FENCE", element… }`, `{ "STALE WAIT", item… }`, or a refusal.
fn read(reply: Value, wanted: &Claim, salt: &str) -> Result<Outcome<(Vec<usize>, Claimed)>> {
    let Value::Array(lines) = reply else { return Err(undecodable("claim")) };
    let mut lines = lines.into_iter().map(|line| match line {
        Value::BulkString(bytes) => bytes,
        Value::SimpleString(text) => text.into_bytes(),
        Value::Int(number) => number.to_string().into_bytes(),
        _ => Vec::new(),
    });
    let first = String::from_utf8_lossy(&lines.next().unwrap_or_default()).into_owned();
    if first == "refused" {
        let mut words = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
        let code = words.next().unwrap_or_default();
        return Ok(Outcome::Refused(Refusal::new(&code, words.next().filter(|detail| !detail.is_empty()))));
    }
    let (stale, wait) = first.split_once(' ').ok_or_else(|| undecodable(&first))?;
    if let Some(fresh) = wait.strip_prefix("= ") {
        let (ends, fence) = fresh.split_once(' ').ok_or_else(|| undecodable(&first))?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| undecodable(&first));
        let (ends, fence, queue) = (number(ends)?, number(fence)?, &wanted.queues[0]);
        let items = (1..).zip(lines).map(|(place, element)| {
            let token =
                Token { queue: queue.clone(), fence: fence + place, claim: format!("{salt}.{place}") };
            item::fresh(token, &element, ends)
        });
        let claimed = Claimed { items: items.collect(), ..Claimed::default() };
        return Ok(Outcome::Done((places(stale), claimed)));
    }
    let items = lines
        .map(|line| item::read(&line).ok_or_else(|| undecodable("a claimed item")))
        .collect::<Result<_>>()?;
    let claimed = Claimed { items, paused: wait == "p", next: next_due(wait) };
    Ok(Outcome::Done((places(stale), claimed)))
}

/// In how many milliseconds something is due, as a script says it.
pub(super) fn next_due(text: &str) -> Option<std::time::Duration> {
    let ms = text.parse::<f64>().ok().filter(|ms| ms.is_finite() && *ms >= 0.0)?;
    Some(std::time::Duration::from_millis(ms.min(1e9) as u64))
}

/// The places, from 0, that a script names as `2,5`, or `-` for none.
pub(super) fn places(text: &str) -> Vec<usize> {
    text.split(',').filter_map(|place| place.parse::<usize>().ok()?.checked_sub(1)).collect()
}
