//! What relayna's store speaks of.

use quorate_catalog::ids::{DeadLetterId, TaskId};
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::FailedFilter;

/// A dead letter of relayna's store. What its writer added beyond this stays in the store as it was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    pub dlq_id: String,
    pub queue_name: String,
    #[serde(default)]
    pub source_queue_name: String,
    /// Where a replay goes.
    #[serde(default)]
    pub retry_queue_name: String,
    #[serde(default)]
    pub task_id: Option<String>,
    #[serde(default)]
    pub correlation_id: Option<String>,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub exception_type: Option<String>,
    #[serde(default)]
    pub retry_attempt: u64,
    #[serde(default)]
    pub max_retries: u64,
    #[serde(default)]
    pub content_type: Option<String>,
    #[serde(default)]
    pub body_encoding: String,
    pub dead_lettered_at: String,
    /// `dead_lettered` or `replayed`.
    pub state: String,
    #[serde(default)]
    pub replay_count: u64,
    #[serde(default)]
    pub replayed_at: Option<String>,
    #[serde(default)]
    pub replay_target_queue_name: Option<String>,
    #[serde(default)]
    pub headers: Map<String, Value>,
    #[serde(default)]
    pub body: Value,
    #[serde(default)]
    pub diagnosis: Option<Value>,
    /// The body as it arrived, in base64; this and what follows is shown of one record, not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_body_b64: Option<Value>,
    /// Where in the code it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceback: Option<Value>,
    /// Which worker had it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<Value>,
    /// The last log records before the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_logs: Option<Value>,
    /// Where the task stood when it was given up, if its writer said: only what has ended is replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// When its task failed, if that was not when it was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<String>,
    /// Which service it failed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_name: Option<String>,
    /// Which worker it failed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_id: Option<String>,
    /// What went wrong, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// Whether its body was kept, so that it can be retried; it was, where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_available: Option<bool>,
    /// `investigated` or `unreviewed`, as newer clients of relayna say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub investigation_status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub investigated_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub investigated_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub investigation_note: Option<String>,
    /// `not_retried` or `retried`, as newer clients of relayna say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retried_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retried_at: Option<String>,
    /// The task that its last retry is; the graph of its task shows it.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub retried_task_id: Option<String>,
    /// Whether somebody has looked into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// Its last replays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replays: Vec<Value>,
}

/// What somebody found out about a dead letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// `investigated` or `unreviewed`.
    pub state: String,
    pub by: String,
    #[serde(default)]
    pub note: Option<String>,
    pub at: String,
}

impl Record {
    /// A record, unless the text is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The record of this name: one that gives itself another name is none.
    pub(super) fn of(id: &DeadLetterId, text: &str) -> Option<Self> {
        Self::read(text).filter(|record| record.dlq_id == id.as_key())
    }

    /// As lists show it.
    pub(super) fn short(self) -> Self {
        Self { raw_body_b64: None, traceback: None, worker: None, last_logs: None, ..self }
    }

    /// Its task, if it names one that a key can have.
    pub(super) fn task(&self) -> Option<TaskId> {
        self.task_id.as_deref().and_then(|name| TaskId::parse(name).ok())
    }

    /// When its task failed, in Unix milliseconds.
    pub(super) fn moment(&self) -> u64 {
        let said = self.failed_at.as_deref().and_then(crate::tasks::moment);
        said.or_else(|| crate::tasks::moment(&self.dead_lettered_at)).map_or(0, Micros::millis)
    }

    /// Whether somebody has looked into it. A newer client of relayna that writes the record drops what it does not know, so
    /// what it says itself is stronger.
    pub(super) fn investigated(&self) -> bool {
        let review = || self.review.as_ref().map(|review| review.state.as_str());
        self.investigation_status.as_deref().or_else(review) == Some("investigated")
    }

    /// Whether it got another life.
    pub(super) fn retried(&self) -> bool {
        self.state != "dead_lettered" || self.retry_status.as_deref() == Some("retried")
    }
}

/// Which records are meant; all that is said must hold.
#[derive(Debug, Clone, Default)]
pub struct RecordFilter {
    pub queue_name: Option<String>,
    pub task_id: Option<String>,
    pub reason: Option<String>,
    pub source_queue_name: Option<String>,
    pub state: Option<String>,
    /// Only those that were looked into, or only those that were not.
    pub investigated: Option<bool>,
    /// Of a failed task, as its review asks for it.
    pub failed: FailedFilter,
}

impl RecordFilter {
    pub(super) fn matches(&self, record: &Record) -> bool {
        let same = |wanted: &Option<String>, own: &str| wanted.as_ref().is_none_or(|wanted| wanted == own);
        same(&self.queue_name, &record.queue_name)
            && same(&self.task_id, record.task_id.as_deref().unwrap_or_default())
            && same(&self.reason, &record.reason)
            && same(&self.source_queue_name, &record.source_queue_name)
            && same(&self.state, &record.state)
            && self.investigated.is_none_or(|wanted| wanted == record.investigated())
            && self.failed.matches(record)
    }
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Page {
    pub items: Vec<Record>,
    /// Where the next page begins, if there is more.
    pub next_cursor: Option<String>,
}

/// The dead letters of one queue in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueueSum {
    pub queue_name: String,
    pub indexed_count: u64,
    pub last_indexed_at: Option<String>,
    /// Whether the queue that replays go to is there.
    pub exists: bool,
    /// How many items wait in it.
    pub message_count: Option<u64>,
}
