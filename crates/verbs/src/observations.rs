//! What agents noticed.

mod ack;
mod drop;
mod ls;
mod read;
mod reject;
mod revive;
mod submit;

use crate::Entry;

pub use ack::Ack;
pub use drop::{Drop, Dropped};
pub use ls::Ls;
pub use read::Read;
pub use reject::{Reject, Rejected};
pub use revive::{Revive, Revived};
pub use submit::{Accepted, Submit};

/// The group that consolidates, unless another is named.
pub const GROUP: &str = "consolidator";

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Submit>(),
        Entry::of::<Ls>(),
        Entry::of::<Read>(),
        Entry::of::<Ack>(),
        Entry::of::<Reject>(),
        Entry::of::<Revive>(),
        Entry::of::<Drop>(),
    ]
}
