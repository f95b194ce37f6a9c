//! Who holds what.

mod acquire;
mod cancel;
mod deadlocks;
mod guard;
mod ls;
mod release;
mod renew;
mod show;
mod steal;
mod waits;

use quorate_plane::Outcome;
use quorate_plane::locks::{self, Resource};

use crate::prelude::*;

pub use acquire::{Acquire, Acquired, Wish, verdict};
pub use cancel::Cancel;
pub use deadlocks::{Break, Deadlocks, Rings};
pub use guard::{Guard, Written};
pub use ls::{Held, Ls};
pub use release::Release;
pub use renew::{Renew, Renewed};
pub use show::{Holder, Show, Shown, Waiter};
pub use steal::Steal;
pub use waits::{Wait, Waits};

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Acquire>(),
        Entry::of::<Renew>(),
        Entry::of::<Release>(),
        Entry::of::<Cancel>(),
        Entry::of::<Ls>(),
        Entry::of::<Show>(),
        Entry::of::<Steal>(),
        Entry::of::<Guard>(),
        Entry::of::<Deadlocks>(),
        Entry::of::<Break>(),
        Entry::of::<Waits>(),
    ]
}

/// A hold.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Grant {
    pub lock: String,
    /// Grows with every grant of the lock; renewing, releasing and guarded writes name it.
    pub token: u64,
    /// In ISO 8601.
    pub expires_at: String,
    /// The id of the request that got it.
    pub request: String,
}

impl Grant {
    fn new(on: &Resource, grant: &locks::Grant) -> Self {
        Self {
            lock: on.to_string(),
            token: grant.fence,
            expires_at: grant.expires_at.iso(),
            request: grant.request.clone(),
        }
    }
}

/// What was done to a lock, with nothing more to say.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Done {
    /// `released`, `cancelled` or `stolen`.
    pub outcome: &'static str,
    pub lock: String,
}

fn done(outcome: Outcome<()>, word: &'static str, on: &Resource) -> Verdict<Done> {
    named(outcome, on).map(|()| Done { outcome: word, lock: on.to_string() })
}

/// A refusal that says of which lock it speaks.
fn named<T>(outcome: Outcome<T>, on: &Resource) -> Verdict<T> {
    match outcome {
        Outcome::Done(value) => Verdict::Done(value),
        Outcome::Refused(why) => Verdict::Refused(Refused::from(why).with("lock", on.to_string())),
    }
}
