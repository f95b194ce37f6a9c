//! Who is here.

mod deregister;
mod drain;
mod heartbeat;
mod lift;
mod ls;
mod register;
mod revoke;
mod show;
mod update;

use crate::Entry;

pub use deregister::{Deregister, Deregistered};
pub use drain::{Drain, Draining};
pub use heartbeat::{Beaten, Heartbeat};
pub use lift::{Lift, Lifted};
pub use ls::Ls;
pub use register::{Register, Registered};
pub use revoke::{Revoke, Revoked};
pub use show::Show;
pub use update::{Progress, Update, Updated};

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Register>(),
        Entry::of::<Heartbeat>(),
        Entry::of::<Ls>(),
        Entry::of::<Show>(),
        Entry::of::<Update>(),
        Entry::of::<Drain>(),
        Entry::of::<Revoke>(),
        Entry::of::<Lift>(),
        Entry::of::<Deregister>(),
    ]
}
