//! What became of what is being done, as its workers report it.

mod children;
mod feed;
mod graph;
mod history;
mod lease;
mod ls;
mod observations;
mod observe;
mod pressure;
mod search;
mod show;
mod status;

use quorate_catalog::ids::TaskId;
use quorate_plane::Refusal;

use crate::prelude::*;

pub use children::Children;
pub use feed::Feed;
pub use graph::{Drawn, Graph};
pub use history::History;
pub use lease::{Beat, Beaten, Lease, Leases, Release, Released};
pub use ls::Ls;
pub use observations::Observations;
pub use observe::{Observe, Observed};
pub use pressure::Pressure;
pub use search::Search;
pub use show::Show;
pub use status::{Reported, Status};

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Status>(),
        Entry::of::<Ls>(),
        Entry::of::<Search>(),
        Entry::of::<Show>(),
        Entry::of::<History>(),
        Entry::of::<Children>(),
        Entry::of::<Observe>(),
        Entry::of::<Observations>(),
        Entry::of::<Feed>(),
        Entry::of::<Lease>(),
        Entry::of::<Beat>(),
        Entry::of::<Release>(),
        Entry::of::<Leases>(),
        Entry::of::<Pressure>(),
        Entry::of::<Graph>(),
    ]
}

/// The answer about a task that nobody reported of.
fn nobody<T>(task: &TaskId) -> Verdict<T> {
    Verdict::Refused(Refusal::new("no_task", Some(task.to_string())).into())
}
