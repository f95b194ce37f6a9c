//! What the capability speaks of.

use std::time::Duration;

use quorate_catalog::ids::{JobId, QueueNameId};
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::Serialize;

use super::Recurrence;

/// Longest payload, in bytes.
pub const MAX_PAYLOAD: usize = 64 * 1024;

/// When a job runs.
#[derive(Debug, Clone)]
pub enum When {
    At(Micros),
    In(Duration),
    Recurring(Box<Recurrence>),
}

/// What happens when a job is due while an earlier occurrence of it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlap {
    /// It is left out, and its occurrence says so.
    #[default]
    Skip,
    /// It waits until the earlier one has ended; what is due meanwhile is left out, unless all is to be caught up with.
    QueueOne,
    /// It runs beside the earlier one.
    Allow,
}

impl Overlap {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::QueueOne => "queue-one",
            Self::Allow => "allow",
        }
    }
}

/// What happens to the occurrences of a time when nobody was there to queue them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CatchUp {
    /// One of them runs, late.
    #[default]
    One,
    /// Each of them runs.
    All,
    /// None runs that is more than five seconds late.
    None,
}

impl CatchUp {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::All => "all",
            Self::None => "none",
        }
    }
}

/// A job to be scheduled.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Its name; a random one where none is given.
    pub id: Option<JobId>,
    pub queue: QueueNameId,
    pub payload: String,
    pub when: When,
    pub overlap: Overlap,
    pub catch_up: CatchUp,
}

impl Plan {
    pub fn new(queue: QueueNameId, payload: impl Into<String>, when: When) -> Self {
        Self {
            id: None,
            queue,
            payload: payload.into(),
            when,
            overlap: Overlap::Skip,
            catch_up: CatchUp::One,
        }
    }
}

/// A job that was scheduled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scheduled {
    pub id: String,
    pub next_at: Micros,
}

/// A job as others see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Job {
    pub id: String,
    /// Where its occurrences are put; it is shown as `job:NAME`, as queues are named everywhere.
    #[serde(serialize_with = "as_queue")]
    pub queue: String,
    /// active, done or cancelled.
    pub state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    pub overlap: String,
    pub catch_up: String,
    pub payload: String,
    /// When it is due, while it is active.
    pub next_at: Option<String>,
    /// How many occurrences there were.
    pub occurrences: u64,
    /// The last ones, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
}

fn as_queue<S: serde::Serializer>(name: &str, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&format_args!("job:{name}"))
}

/// One occurrence of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Run {
    /// The job and the planned time; the item in the queue has the same id.
    pub id: String,
    pub planned_at: String,
    /// waiting, queued, started, done, failed or skipped.
    pub state: String,
    pub at: String,
    /// Why it was skipped, or who runs it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl Run {
    pub(super) fn read(job: &JobId, planned: &str, text: &str) -> Option<Self> {
        let millis: u64 = planned.parse().ok()?;
        let (state, rest) = text.split_once(' ')?;
        let (at, detail) = rest.split_once(' ').unwrap_or((rest, ""));
        Some(Self {
            id: format!("{job}.{planned}"),
            planned_at: Micros::from_millis(millis).iso(),
            state: state.to_owned(),
            at: Micros::from_millis(at.parse().ok()?).iso(),
            detail: detail.to_owned(),
        })
    }
}

/// What one look at the schedule did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Ticked {
    pub queued: u64,
    pub skipped: u64,
    /// The latest that one was queued.
    pub late_ms: u64,
}
