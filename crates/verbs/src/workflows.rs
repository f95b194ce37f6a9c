//! Where a task stands in its workflow, and what comes next.

mod arrive;
mod cancel;
mod complete;
mod define;
mod enter;
mod expect;
mod explain;
mod extend;
mod fail;
mod ls;
mod run;
mod runs;
mod show;
mod start;

use quorate_plane::Refusal;

use crate::said::Json;
use crate::{Entry, Refused};

pub use arrive::{Arrive, Arrived};
pub use cancel::{Cancel, Cancelled};
pub use complete::{Complete, Completed, Next, Said as NextSaid};
pub use define::{Define, Defined};
pub use enter::{Enter, Entered};
pub use expect::Expect;
pub use explain::Explain;
pub use extend::{Extend, Extended};
pub use fail::{Fail, Failed};
pub use ls::{Ls, Summary};
pub use run::Run;
pub use runs::{Runs, State};
pub use show::Show;
pub use start::{Start, Started};

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Define>(),
        Entry::of::<Ls>(),
        Entry::of::<Show>(),
        Entry::of::<Start>(),
        Entry::of::<Runs>(),
        Entry::of::<Run>(),
        Entry::of::<Explain>(),
        Entry::of::<Cancel>(),
        Entry::of::<Enter>(),
        Entry::of::<Extend>(),
        Entry::of::<Complete>(),
        Entry::of::<Fail>(),
        Entry::of::<Arrive>(),
        Entry::of::<Expect>(),
    ]
}

/// A payload as the plane wants it.
fn text(payload: Option<&Json>) -> &str {
    payload.map_or("null", |payload| payload.0.as_str())
}

/// There is no run of this task.
fn no_run(task: &str) -> Refused {
    Refusal::new("no_run", Some(task.to_owned())).into()
}
