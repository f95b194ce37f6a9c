//! The services that a studio watches.

mod change;
mod delete;
mod events;
mod failed;
mod health;
mod ingest;
mod logs;
mod metrics;
mod read;
mod register;
mod search;
mod show;
mod traces;

use crate::Entry;

pub use change::{Changed, Disable, Enable, Update};
pub use delete::{Delete, Deleted};
pub use events::{Events, Pull};
pub use failed::{Discard, Failure, Retry, Review};
pub use health::{Check, Health, Refresh};
pub use ingest::{Envelope, Ingest};
pub use logs::Logs;
pub use metrics::{Metrics, Pods};
pub use read::{Ask, Failed, Task};
pub use register::{Register, Registered};
pub use search::Search;
pub use show::{Ls, Show, Shown};
pub use traces::Traces;

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Register>(),
        Entry::of::<Ls>(),
        Entry::of::<Show>(),
        Entry::of::<Update>(),
        Entry::of::<Disable>(),
        Entry::of::<Enable>(),
        Entry::of::<Delete>(),
        Entry::of::<Refresh>(),
        Entry::of::<Health>(),
        Entry::of::<Check>(),
        Entry::of::<Events>(),
        Entry::of::<Pull>(),
        Entry::of::<Ingest>(),
        Entry::of::<Ask>(),
        Entry::of::<Task>(),
        Entry::of::<Failed>(),
        Entry::of::<Logs>(),
        Entry::of::<Metrics>(),
        Entry::of::<Pods>(),
        Entry::of::<Traces>(),
        Entry::of::<Failure>(),
        Entry::of::<Review>(),
        Entry::of::<Retry>(),
        Entry::of::<Discard>(),
        Entry::of::<Search>(),
    ]
}
