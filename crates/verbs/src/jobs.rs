//! What runs when.

mod cancel;
mod ls;
mod run;
mod schedule;
mod show;

use crate::Entry;

pub use cancel::{Cancel, Cancelled};
pub use ls::Ls;
pub use run::{Queued, Run};
pub use schedule::{CatchUp, JobQueue, Overlap, Schedule, Scheduled};
pub use show::Show;

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Schedule>(),
        Entry::of::<Ls>(),
        Entry::of::<Show>(),
        Entry::of::<Cancel>(),
        Entry::of::<Run>(),
    ]
}
