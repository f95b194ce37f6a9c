//! What the capability speaks of.

use quorate_catalog::ids::TaskId;
use schemars::JsonSchema;
use serde::Serialize;

use super::Event;

/// What became of a reported event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    Accepted(Accepted),
    /// It was taken before; its number then, unless one of the seed's own clients took it.
    Duplicate(Option<u64>),
}

/// An event that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// Its number among the events of its task.
    pub seq: u64,
    pub place: Place,
    pub kin: Kin,
}

/// Where an event stands among those of its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// It is the one that counts now.
    Latest,
    /// It is older than that one, or of an earlier attempt.
    OutOfOrder,
    /// The task had ended.
    AfterEnd,
}

/// Whether a task is in its parent's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kin {
    /// The event names no parent.
    None,
    Listed,
    /// The parent has as many children as one may have.
    Full,
    /// The task has another parent; the first one that it named stays.
    OtherParent,
}

/// A task as its status events show it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Task {
    pub task_id: String,
    /// The status that counts.
    pub status: Option<String>,
    /// Whether it has ended.
    pub ended: bool,
    /// When it last reported, in ISO 8601.
    pub at: Option<String>,
    /// Events that it ever had; absent for a task that only the seed's own clients reported.
    pub events: Option<u64>,
    pub attempt: u32,
    pub parent: Option<String>,
    pub children: u64,
    /// Its newest event.
    pub latest: Option<Event>,
}

/// Events of one task, newest first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct History {
    pub task_id: String,
    pub events: Vec<Event>,
    /// Whether there were more than are kept.
    pub truncated: bool,
    /// Entries that nobody can read; a foreign client wrote them.
    pub unreadable: usize,
}

/// The children of a task, in the order of their names.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Children {
    pub task_id: String,
    pub children: Vec<String>,
    /// How many there are.
    pub total: u64,
    pub truncated: bool,
}

/// A page of tasks, the one that reported last first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Page {
    pub tasks: Vec<Task>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

impl Page {
    pub(super) fn cursor(ms: u64, task: &TaskId) -> String {
        format!("{ms}-{task}")
    }

    pub(super) fn place(cursor: &str) -> Option<(u64, &str)> {
        let (ms, task) = cursor.split_once('-')?;
        Some((ms.parse().ok()?, task))
    }
}
