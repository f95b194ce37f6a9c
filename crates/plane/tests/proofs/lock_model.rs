//! What a lock does, one call after the other, and a recorded history as calls of that.
//!
//! A hold ends by its release, or at any time after its lease has ended; that end is a call of its own that nobody made.
//! A client that was stopped longer than a lease may have been granted the lock, and have lost it, without knowing:
//! such a grant is a call that perhaps took effect.

use quorate_testkit::chaos::Effects;
use quorate_testkit::linear::{End, Model, Operation};
use std::collections::BTreeMap;

pub(crate) struct Lock;

/// Who holds it, and the highest fence that a client was told.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Held {
    holds: Vec<Hold>,
    fence: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Hold {
    request: String,
    client: String,
    exclusive: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Call {
    /// A grant; one that nobody was told of has no fence.
    Granted { request: String, client: String, exclusive: bool, fence: Option<u64> },
    /// A refusal that named the holder.
    Held { by: String },
    /// A release, a cancelled request, or a wait that ended without a grant: afterwards it does not hold.
    Ended { request: String },
    /// Its lease had ended.
    Lapsed { request: String, fence: Option<u64> },
}

impl Model for Lock {
    type State = Held;
    type Call = Call;

    fn initial(&self) -> Held {
        Held::default()
    }

    fn step(&self, state: &Held, call: &Call) -> Option<Held> {
        let without = |request: &String| {
            let holds = state.holds.iter().filter(|hold| hold.request != *request).cloned().collect();
            Held { holds, ..state.clone() }
        };
        match call {
            Call::Granted { request, client, exclusive, fence } => {
                let free = state.holds.iter().all(|hold| !hold.exclusive && !exclusive);
                let grows = fence.is_none_or(|fence| fence > state.fence);
                let mut after = state.clone();
                after.holds.push(Hold {
                    request: request.clone(),
                    client: client.clone(),
                    exclusive: *exclusive,
                });
                after.holds.sort_by(|one, two| one.request.cmp(&two.request));
                after.fence = fence.unwrap_or(state.fence);
                (free && grows).then_some(after)
            }
            Call::Held { by } => state.holds.iter().any(|hold| hold.client == *by).then(|| state.clone()),
            Call::Ended { request } => Some(without(request)),
            Call::Lapsed { request, .. } => {
                state.holds.iter().any(|hold| hold.request == *request).then(|| without(request))
            }
        }
    }

    fn is_spent(&self, state: &Held, call: &Call) -> bool {
        match call {
            Call::Granted { fence: Some(fence), .. } => *fence <= state.fence,
            Call::Lapsed { request, fence: Some(fence) } => {
                *fence <= state.fence && state.holds.iter().all(|hold| hold.request != *request)
            }
            _ => false,
        }
    }
}

/// How long after its client gave it up a call may still reach the server, in microseconds: a connection that is silent
/// holds it back for less than a second.
const LATE: u64 = 700_000;

/// One line that a client wrote.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) client: String,
    pub(crate) what: String,
    pub(crate) request: String,
    pub(crate) exclusive: bool,
    pub(crate) began: u64,
    pub(crate) ended: u64,
    pub(crate) word: String,
    pub(crate) detail: Vec<String>,
}

impl Line {
    fn read(effect: &str, client: &str) -> (String, Self) {
        let words: Vec<&str> = effect.split(' ').collect();
        let line = Self {
            client: client.to_owned(),
            what: words[1].to_owned(),
            request: words[2].to_owned(),
            exclusive: words[3] == "x",
            began: words[4].parse().expect("a time"),
            ended: words[5].parse().expect("a time"),
            word: words[6].to_owned(),
            detail: words[7..].iter().map(|word| (*word).to_owned()).collect(),
        };
        (words[0].to_owned(), line)
    }

    pub(crate) fn number(&self, place: usize) -> u64 {
        self.detail[place].parse().expect("a number")
    }

    /// As calls of the model; `ttl` is the lease in microseconds, `named` how long after it could have been made a grant
    /// that nobody was told of may still be found out by a refusal.
    fn operations(&self, ttl: u64, named: u64) -> Vec<Operation<Call>> {
        let known = End::At(self.ended);
        let at = |call: Call, began: u64, end: End| Operation { call, began, end };
        let ended = || Call::Ended { request: self.request.clone() };
        let granted = |fence| Call::Granted {
            request: self.request.clone(),
            client: self.client.clone(),
            exclusive: self.exclusive,
            fence,
        };
        let lapsed = |fence| Call::Lapsed { request: self.request.clone(), fence };
        let mut all = match (self.what.as_str(), self.word.as_str()) {
            ("acquire", "granted") => vec![
                at(granted(Some(self.number(0))), self.began, known),
                at(lapsed(Some(self.number(0))), self.number(1), End::Unknown),
            ],
            ("acquire", "held") if self.detail[0].contains('_') => vec![],
            ("acquire", "held") => vec![at(Call::Held { by: self.detail[0].clone() }, self.began, known)],
            ("acquire", "none") => vec![at(ended(), self.began, known)],
            ("acquire", _) => vec![
                at(granted(None), self.began, End::Perhaps(self.ended + LATE + named)),
                at(lapsed(None), self.began + ttl, End::Perhaps(self.ended + LATE + ttl)),
            ],
            (_, "unknown") => vec![at(ended(), self.began, End::Perhaps(self.ended + LATE))],
            _ => vec![at(ended(), self.began, known)],
        };
        if self.what == "acquire" && self.word != "unknown" && self.ended - self.began >= ttl {
            all.push(at(granted(None), self.began, End::Perhaps(self.ended)));
            all.push(at(lapsed(None), self.began + ttl, End::Perhaps(self.ended)));
        }
        all
    }
}

/// What was written down, by lock.
pub(crate) fn by_lock(effects: &Effects) -> BTreeMap<String, Vec<Line>> {
    let mut all: BTreeMap<String, Vec<Line>> = BTreeMap::new();
    for (effect, client) in &effects.lines {
        let (lock, line) = Line::read(effect, client);
        all.entry(lock).or_default().push(line);
    }
    all
}

pub(crate) fn history(lines: &[Line], ttl: u64, named: u64) -> Vec<Operation<Call>> {
    lines.iter().flat_map(|line| line.operations(ttl, named)).collect()
}

#[test]
fn the_model_refuses_two_holders_and_a_fence_that_does_not_grow() {
    let grant = |client: &str, fence, exclusive, began, ended| Operation {
        call: Call::Granted { request: client.into(), client: client.into(), exclusive, fence: Some(fence) },
        began,
        end: End::At(ended),
    };
    let end = |client: &str, began, ended| Operation {
        call: Call::Ended { request: client.into() },
        began,
        end: End::At(ended),
    };
    let holds = |history: &[Operation<Call>]| {
        let (plain, quick) =
            (quorate_testkit::linear::check(&Lock, history), super::lock_order::check(history));
        assert_eq!(plain.is_ok(), quick.is_ok(), "{plain:?}, {quick:?}");
        plain.is_ok()
    };
    let (a, b) = (grant("a", 1, true, 0, 1), grant("b", 2, true, 2, 3));
    assert!(!holds(&[a.clone(), b.clone()]));
    assert!(holds(&[a.clone(), end("a", 1, 4), b.clone()]));
    assert!(!holds(&[a.clone(), end("a", 4, 5), b]), "given back too late");
    assert!(!holds(&[a, end("a", 1, 2), grant("b", 1, true, 3, 4)]), "the same fence");
    assert!(holds(&[grant("a", 1, false, 0, 1), grant("b", 2, false, 2, 3)]));
    assert!(!holds(&[grant("a", 1, false, 0, 1), grant("b", 2, true, 2, 3)]));
    let blamed = Operation { call: Call::Held { by: "a".into() }, began: 5, end: End::At(6) };
    assert!(!holds(std::slice::from_ref(&blamed)), "nobody held it");
    let untold = |end| Operation {
        call: Call::Granted { request: "u".into(), client: "a".into(), exclusive: true, fence: None },
        began: 0,
        end: End::Perhaps(end),
    };
    assert!(holds(&[untold(7), blamed.clone()]), "a grant that nobody was told of");
    assert!(!holds(&[untold(4), blamed.clone(), grant("b", 2, true, 4, 5)]), "two at once");
    let (given_up, later) = (end("u", 5, 6), Operation { end: End::At(9), ..blamed });
    assert!(holds(&[untold(30), given_up, later, grant("b", 2, true, 7, 8)]), "it was given up in between");
}
