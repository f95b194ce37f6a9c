//! Whether a history of concurrent calls could have happened one after the other.
//!
//! Wing and Gong's search in Lowe's just-in-time form: events are read in the order of time, and what is kept is every
//! state the system could be in, with the pending calls that have taken effect in it. A call takes effect somewhere
//! between its begin and its end. One whose outcome nobody knows may take effect at any later time, or never. Split a
//! history by what its calls are about before it is checked: parts that share nothing need not be searched together.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;

/// What one call after the other would do.
pub trait Model {
    type State: Clone + Eq + Hash + Debug;
    type Call: Debug;

    fn initial(&self) -> Self::State;

    /// The state after `call` took effect in `state`, or `None` if it could not have ended there as it did.
    fn step(&self, state: &Self::State, call: &Self::Call) -> Option<Self::State>;

    /// Whether a call that has not taken effect yet can do so never again from this state on. Only saves work: a state
    /// from which a call cannot end as it did is not followed, and an unknown call that is over is forgotten.
    fn is_spent(&self, state: &Self::State, call: &Self::Call) -> bool {
        let _ = (state, call);
        false
    }
}

/// When a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It took effect before this moment.
    At(u64),
    /// It took effect before this moment, or not at all.
    Perhaps(u64),
    /// Nobody knows: at any later time, or never.
    Unknown,
}

/// One call of a history. Times are of one clock.
#[derive(Debug, Clone)]
pub struct Operation<C> {
    pub call: C,
    pub began: u64,
    pub end: End,
}

/// Where a history stops making sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The place in the history of the call that cannot have ended as it did.
    pub operation: usize,
    pub explanation: String,
}

/// A state, and which pending calls have taken effect in it, in order of their numbers.
type Possible<S> = (S, Vec<usize>);

struct Search<'a, M: Model> {
    model: &'a M,
    history: &'a [Operation<M::Call>],
    pending: Vec<usize>,
    possible: HashSet<Possible<M::State>>,
    most: usize,
    /// States that may still be looked at.
    left: u64,
}

/// Looks for an order that explains `history`; gives the most states that had to be kept at once.
pub fn check<M: Model>(model: &M, history: &[Operation<M::Call>]) -> Result<usize, Violation> {
    check_within(model, history, u64::MAX).expect("there is time for everything")
}

/// As [`check`], unless more than `states` would have to be looked at: with many calls of unknown outcome at once they are more
/// than anybody can wait for.
pub fn check_within<M: Model>(
    model: &M,
    history: &[Operation<M::Call>],
    states: u64,
) -> Option<Result<usize, Violation>> {
    let mut events: Vec<(u64, bool, usize)> = Vec::with_capacity(history.len() * 2);
    for (number, one) in history.iter().enumerate() {
        events.push((one.began, false, number));
        if let End::At(time) | End::Perhaps(time) = one.end {
            events.push((time.max(one.began), true, number));
        }
    }
    // Where a begin and an end have one time, they may have overlapped.
    events.sort_unstable();
    let possible = HashSet::from([(model.initial(), Vec::new())]);
    let mut search = Search { model, history, pending: Vec::new(), possible, most: 1, left: states };
    for (_, ends, number) in events {
        if !ends {
            search.pending.push(number);
        } else if let Err(wrong) = search.end(number) {
            return (search.left > 0).then_some(Err(wrong));
        }
    }
    Some(Ok(search.most))
}

impl<M: Model> Search<'_, M> {
    fn end(&mut self, number: usize) -> Result<(), Violation> {
        let mut next = HashSet::new();
        let mut seen: HashMap<M::State, Vec<Vec<usize>>> = HashMap::new();
        // Those with the fewest calls done come first, so that what they make needless is not followed.
        let mut open: VecDeque<Possible<M::State>> = self.possible.iter().cloned().collect();
        open.make_contiguous().sort_by_key(|(_, done)| done.len());
        while let Some((state, done)) = open.pop_front() {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                return Err(self.violation(number));
            }
            if done.contains(&number) {
                next.insert((state, without(&done, number)));
                continue;
            }
            if matches!(self.history[number].end, End::Perhaps(_)) {
                next.insert((state.clone(), done.clone()));
            }
            for other in self.pending.iter().filter(|other| !done.contains(other)) {
                let Some(after) = self.model.step(&state, &self.history[*other].call) else { continue };
                let done = with(&done, *other);
                if self.is_lost(&after, &done) {
                    continue;
                }
                let known = seen.entry(after.clone()).or_default();
                if !known.iter().any(|fewer| self.is_enough(fewer, &done)) {
                    known.push(done.clone());
                    open.push_back((after, done));
                }
            }
        }
        if next.is_empty() {
            return Err(self.violation(number));
        }
        self.pending.retain(|other| *other != number);
        self.possible = next;
        self.forget();
        self.most = self.most.max(self.possible.len());
        Ok(())
    }

    /// Whether a pending call that did end can no longer take effect.
    fn is_lost(&self, state: &M::State, done: &[usize]) -> bool {
        let mut due = self.pending.iter().filter(|number| matches!(self.history[**number].end, End::At(_)));
        due.any(|number| !done.contains(number) && self.model.is_spent(state, &self.history[*number].call))
    }

    /// Whether a state with `fewer` calls done can do all that it can with `done`: what is still to come need not come.
    fn is_enough(&self, fewer: &[usize], done: &[usize]) -> bool {
        let need_not = |number: &usize| !matches!(self.history[*number].end, End::At(_));
        fewer.iter().all(|number| done.contains(number))
            && done.iter().all(|number| fewer.contains(number) || need_not(number))
    }

    fn time(&self, number: usize) -> u64 {
        match self.history[number].end {
            End::At(time) | End::Perhaps(time) => time,
            End::Unknown => u64::MAX,
        }
    }

    /// Drops calls that can no longer take effect, and states that only had fewer chances than another.
    fn forget(&mut self) {
        let unknown = |number: &usize| self.history[*number].end == End::Unknown;
        let over = |number: &usize| {
            self.possible.iter().all(|(state, done)| {
                done.contains(number) || self.model.is_spent(state, &self.history[*number].call)
            })
        };
        let gone: Vec<usize> =
            self.pending.iter().copied().filter(|number| unknown(number) && over(number)).collect();
        if !gone.is_empty() {
            self.pending.retain(|number| !gone.contains(number));
            self.possible = self
                .possible
                .drain()
                .map(|(state, done)| {
                    (state, done.into_iter().filter(|number| !gone.contains(number)).collect())
                })
                .collect();
        }
        let mut kept: HashMap<M::State, Vec<Vec<usize>>> = HashMap::new();
        let mut all: Vec<Possible<M::State>> = self.possible.drain().collect();
        all.sort_by_key(|(_, done)| done.len());
        for (state, done) in all {
            let known = kept.entry(state).or_default();
            if !known.iter().any(|fewer| self.is_enough(fewer, &done)) {
                known.push(done);
            }
        }
        self.possible = kept
            .into_iter()
            .flat_map(|(state, all)| all.into_iter().map(move |done| (state.clone(), done)))
            .collect();
    }

    fn violation(&self, number: usize) -> Violation {
        let states: Vec<String> =
            self.possible.iter().take(4).map(|(state, done)| format!("{state:?} after {done:?}")).collect();
        let pending: Vec<String> = self
            .pending
            .iter()
            .map(|other| {
                format!("{other}: {:?} from {}", self.history[*other].call, self.history[*other].began)
            })
            .collect();
        Violation {
            operation: number,
            explanation: format!(
                "{:?} cannot have ended so at {}; possible before: {}; pending: {}",
                self.history[number].call,
                self.time(number),
                states.join(" | "),
                pending.join(", ")
            ),
        }
    }
}

fn with(done: &[usize], number: usize) -> Vec<usize> {
    let mut all = done.to_vec();
    all.insert(all.partition_point(|other| *other < number), number);
    all
}

fn without(done: &[usize], number: usize) -> Vec<usize> {
    done.iter().copied().filter(|other| *other != number).collect()
}

#[cfg(test)]
mod tests;
