//! Whether a history of one lock could have happened one after the other: the search of `linear`, for locks.
//!
//! It is complete and still fast on histories of any length, because of what a lock is. Grants are in the order of their
//! fences. A refusal changes nothing, so it takes effect as soon as the holder it names is there. Everything else takes
//! effect as late as it may: a release when its call ends, or when a grant needs the lock; the end of a lease only when a
//! grant needs it. What is left to guess are grants that nobody was told of, and those matter only to a refusal that names
//! their client. A client that is granted a lock which it holds already exchanges its hold.

use std::collections::{BTreeSet, HashSet};

use quorate_testkit::linear::{End, Operation};

use super::lock_model::Call;

/// Who may hold the lock at one moment, the last fence, and the pending calls that have taken effect.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Possible<'h> {
    holds: BTreeSet<(&'h str, &'h str, bool)>,
    fence: u64,
    done: BTreeSet<usize>,
}

struct Search<'h> {
    history: &'h [Operation<Call>],
    pending: BTreeSet<usize>,
    possible: HashSet<Possible<'h>>,
}

/// Looks for an order that explains `history`; gives the most states that had to be kept at once.
pub(crate) fn check(history: &[Operation<Call>]) -> Result<usize, String> {
    let mut events: Vec<(u64, bool, usize)> = Vec::with_capacity(history.len() * 2);
    for (number, one) in history.iter().enumerate() {
        events.push((one.began, false, number));
        if let End::At(time) | End::Perhaps(time) = one.end {
            events.push((time.max(one.began), true, number));
        }
    }
    events.sort_unstable();
    let mut search =
        Search { history, pending: BTreeSet::new(), possible: HashSet::from([Possible::default()]) };
    let mut most = 1;
    for (_, ends, number) in events {
        if ends {
            search.end(number)?;
            most = most.max(search.possible.len());
        } else {
            search.pending.insert(number);
            let all = std::mem::take(&mut search.possible);
            search.possible = all.into_iter().map(|one| search.answered(one)).collect();
        }
    }
    Ok(most)
}

impl<'h> Search<'h> {
    fn call(&self, number: usize) -> &'h Call {
        &self.history[number].call
    }

    /// Calls that have begun and not taken effect yet.
    fn open(&self, one: &Possible<'h>) -> Vec<usize> {
        self.pending.iter().copied().filter(|number| !one.done.contains(number)).collect()
    }

    /// Refusals that name somebody who holds the lock have taken effect.
    fn answered(&self, mut one: Possible<'h>) -> Possible<'h> {
        for number in self.open(&one) {
            if let Call::Held { by } = self.call(number)
                && one.holds.iter().any(|(_, client, _)| client == by)
            {
                one.done.insert(number);
            }
        }
        one
    }

    /// After one grant; what is in its way ends first, if it may have ended.
    fn granted(&self, one: &Possible<'h>, number: usize) -> Option<Possible<'h>> {
        let Call::Granted { request, client, exclusive, fence } = self.call(number) else { return None };
        let mut after = one.clone();
        after.done.insert(number);
        for hold in one.holds.iter().filter(|(_, holder, alone)| holder == client || *alone || *exclusive) {
            if hold.1 != client {
                let way = self.way_out(&after, hold.0)?;
                after.done.insert(way);
            }
            after.holds.remove(hold);
        }
        after.holds.insert((request, client, *exclusive));
        let grows = fence.is_none_or(|fence| fence > one.fence);
        after.fence = fence.unwrap_or(one.fence);
        grows.then(|| self.answered(after))
    }

    /// The end of a lease, or else a release, that could have ended a hold by now.
    fn way_out(&self, one: &Possible<'h>, held: &str) -> Option<usize> {
        let ended = |number: &usize| matches!(self.call(*number), Call::Ended { request } if request == held);
        let lapsed =
            |number: &usize| matches!(self.call(*number), Call::Lapsed { request, .. } if request == held);
        self.open(one).into_iter().find(lapsed).or_else(|| self.open(one).into_iter().find(ended))
    }

    /// After a grant with a fence, and those with lower fences before it.
    fn granted_in_order(&self, one: &Possible<'h>, number: usize) -> Option<Possible<'h>> {
        let fence = |number: usize| match self.call(number) {
            Call::Granted { fence, .. } => *fence,
            _ => None,
        };
        let last = fence(number)?;
        let mut before: Vec<(u64, usize)> =
            self.open(one).into_iter().filter_map(|own| Some((fence(own)?, own))).collect();
        before.retain(|(own, _)| *own <= last);
        before.sort_unstable();
        before.into_iter().try_fold(one.clone(), |one, (_, number)| self.granted(&one, number))
    }

    /// All states in which grants that nobody was told of have taken effect too, as far as a refusal asks for them.
    fn guess(&mut self) {
        let untold = |number: &usize| matches!(self.call(*number), Call::Granted { fence: None, .. });
        let unknown: Vec<usize> = self.pending.iter().copied().filter(untold).collect();
        let mut open: Vec<Possible<'h>> =
            if unknown.is_empty() { Vec::new() } else { self.possible.iter().cloned().collect() };
        while let Some(one) = open.pop() {
            let asked: Vec<&str> =
                self.open(&one).into_iter().filter_map(|number| self.named(number)).collect();
            let wanted = |number: &&usize| {
                !one.done.contains(number)
                    && matches!(self.call(**number), Call::Granted { client, .. } if asked.contains(&client.as_str()))
            };
            let after: Vec<_> =
                unknown.iter().filter(wanted).filter_map(|own| self.granted(&one, *own)).collect();
            open.extend(after.into_iter().filter(|after| self.possible.insert(after.clone())));
        }
    }

    fn named(&self, number: usize) -> Option<&'h str> {
        match self.call(number) {
            Call::Held { by } => Some(by),
            _ => None,
        }
    }

    fn end(&mut self, number: usize) -> Result<(), String> {
        self.guess();
        let all: Vec<Possible<'h>> = self.possible.drain().collect();
        for one in &all {
            let after = self.ended(one, number);
            self.possible.extend(after);
        }
        if self.possible.is_empty() {
            let pending: Vec<String> =
                self.pending.iter().map(|own| format!("{own}: {:?}", self.history[*own])).collect();
            let seen: Vec<String> = all.iter().take(4).map(|one| format!("{one:?}")).collect();
            return Err(format!(
                "{number}: {:?} cannot have ended so; possible before: {}; pending: {}",
                self.history[number],
                seen.join(" | "),
                pending.join(", ")
            ));
        }
        self.forget(number);
        Ok(())
    }

    /// What can be after a call has ended.
    fn ended(&self, one: &Possible<'h>, number: usize) -> Vec<Possible<'h>> {
        if one.done.contains(&number) || matches!(self.history[number].end, End::Perhaps(_)) {
            return vec![one.clone()];
        }
        match self.call(number) {
            Call::Ended { request } => {
                let mut after = one.clone();
                after.holds.retain(|(held, ..)| held != request);
                vec![after]
            }
            Call::Granted { .. } => self.granted_in_order(one, number).into_iter().collect(),
            // A refusal that is still open needs a grant to the one it names; one nobody was told of was guessed before.
            Call::Held { by } => self
                .open(one)
                .into_iter()
                .filter(|own| matches!(self.call(*own), Call::Granted { client, .. } if client == by))
                .filter_map(|own| self.granted_in_order(one, own))
                .collect(),
            Call::Lapsed { .. } => vec![one.clone()],
        }
    }

    /// Drops a call that has ended, and ends of leases that can no longer matter.
    fn forget(&mut self, number: usize) {
        let over = |own: &usize| match self.call(*own) {
            Call::Lapsed { request, fence: Some(fence) } => self.possible.iter().all(|one| {
                one.done.contains(own)
                    || *fence <= one.fence && one.holds.iter().all(|hold| hold.0 != request)
            }),
            _ => *own == number,
        };
        let gone: Vec<usize> = self.pending.iter().copied().filter(over).collect();
        self.pending.retain(|own| !gone.contains(own));
        let all = std::mem::take(&mut self.possible);
        self.possible = all
            .into_iter()
            .map(|mut one| {
                one.done.retain(|own| !gone.contains(own));
                one
            })
            .collect();
    }
}
