//! What could not be done, and what becomes of it.

mod clusters;
mod drop;
mod failed;
mod investigate;
mod ls;
mod records;
mod replay;
mod retry;
mod show;

use quorate_plane::dead_letters::Filter;
use quorate_plane::queues::Queue;

use crate::prelude::*;

pub use clusters::Clusters;
pub use drop::{Drop, Dropped};
pub use failed::{Failed, FailedDetail, Failure, Looked};
pub use investigate::{Investigate, Investigated};
pub use ls::Ls;
pub use records::{Detail, RecordOne, RecordState, Records, Summed, Sums};
pub use replay::{Replay, ReplayOne, Replayed};
pub use retry::{Delete, Deleted, Keep, Kept, Mark, Retried, Retry};
pub use show::Show;

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Ls>(),
        Entry::of::<Clusters>(),
        Entry::of::<Show>(),
        Entry::of::<Replay>(),
        Entry::of::<ReplayOne>(),
        Entry::of::<Investigate>(),
        Entry::of::<Drop>(),
        Entry::of::<Records>(),
        Entry::of::<RecordOne>(),
        Entry::of::<Sums>(),
        Entry::of::<Failed>(),
        Entry::of::<Failure>(),
        Entry::of::<Keep>(),
        Entry::of::<Retry>(),
        Entry::of::<Mark>(),
        Entry::of::<Delete>(),
    ]
}

/// Which letters are meant.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Which {
    /// Only those of this queue: high, normal, low or job:NAME.
    #[serde(default)]
    pub queue: Option<Said<Queue>>,
    /// Only those with this fingerprint.
    #[serde(default)]
    pub cluster: Option<String>,
    /// Only those whose reason or payload contains this.
    #[serde(default)]
    pub text: Option<String>,
    /// Only those in this state.
    #[serde(default)]
    pub state: Option<State>,
}

/// What has become of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Somebody has still to decide.
    Open,
    /// It got another life.
    Replayed,
    /// The new item was acknowledged.
    Resolved,
}

impl State {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Replayed => "replayed",
            Self::Resolved => "resolved",
        }
    }
}

impl Which {
    fn filter(&self, limit: usize) -> Filter {
        Filter {
            source: self.queue.as_ref().map(|queue| format!("queue:{}", queue.0)),
            cluster: self.cluster.clone(),
            state: self.state.map(|state| state.as_str().to_owned()),
            text: self.text.clone(),
            limit,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_none() && self.cluster.is_none() && self.text.is_none() && self.state.is_none()
    }
}
