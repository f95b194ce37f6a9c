//! What became of what is being done, as its workers report it.

mod children;
mod history;
mod ls;
mod show;
mod status;

use quorate_catalog::ids::TaskId;
use quorate_plane::Refusal;

use crate::prelude::*;

pub use children::Children;
pub use history::History;
pub use ls::Ls;
pub use show::Show;
pub use status::{Reported, Status};

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Status>(),
        Entry::of::<Ls>(),
        Entry::of::<Show>(),
        Entry::of::<History>(),
        Entry::of::<Children>(),
    ]
}

/// The answer about a task that nobody reported of.
fn nobody<T>(task: &TaskId) -> Verdict<T> {
    Verdict::Refused(Refusal::new("no_task", Some(task.to_string())).into())
}
