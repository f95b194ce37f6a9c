//! Failed tasks, as relayna's studio reviews them: each is a dead letter under another name.

use quorate_catalog::ids::DeadLetterId;
use quorate_store::{Micros, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Again, Record, RecordFilter, Records};
use crate::Outcome;

/// Which failed tasks are meant; all that is said must hold.
#[derive(Debug, Clone, Default)]
pub struct FailedFilter {
    pub service_name: Option<String>,
    /// The queue it came from.
    pub queue_name: Option<String>,
    /// The queue it lies in.
    pub dlq_name: Option<String>,
    pub error_type: Option<String>,
    pub status: Option<String>,
    pub worker_id: Option<String>,
    /// Failed at this moment or later.
    pub from: Option<Micros>,
    /// Failed at this moment or earlier.
    pub to: Option<Micros>,
}

impl FailedFilter {
    /// All but the window, which the walk through the index keeps.
    pub(super) fn matches(&self, record: &Record) -> bool {
        let same = |wanted: &Option<String>, own: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| Some(wanted.as_str()) == own)
        };
        same(&self.service_name, record.service_name.as_deref())
            && same(&self.queue_name, Some(&record.source_queue_name))
            && same(&self.dlq_name, Some(&record.queue_name))
            && same(&self.error_type, record.exception_type.as_deref())
            && same(&self.status, Some(status(record)))
            && same(&self.worker_id, record.worker_id.as_deref())
    }
}

/// A record that does not say where its task stood is a dead letter.
fn status(record: &Record) -> &str {
    record.status.as_deref().unwrap_or("DLQ")
}

/// A failed task in the words of relayna's studio.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FailedTask {
    /// The dead letter.
    pub failure_id: String,
    pub service_name: Option<String>,
    pub task_id: Option<String>,
    pub correlation_id: Option<String>,
    pub queue_name: String,
    pub source_queue_name: String,
    pub retry_queue_name: String,
    pub dlq_name: String,
    /// `DLQ`, unless its writer said where the task stood.
    pub status: String,
    pub attempt: u64,
    pub max_attempts: u64,
    pub failed_at: String,
    pub error_type: Option<String>,
    pub error_message: Option<String>,
    pub worker_id: Option<String>,
    pub payload_available: bool,
    /// `investigated` or `unreviewed`.
    pub investigation_status: String,
    pub investigated_at: Option<String>,
    pub investigated_by: Option<String>,
    pub investigation_note: Option<String>,
    /// `retried` or `not_retried`.
    pub retry_status: String,
    pub retried_at: Option<String>,
    pub retried_by: Option<String>,
    /// Where the last retry went.
    pub retry_target_queue: Option<String>,
}

impl From<&Record> for FailedTask {
    fn from(record: &Record) -> Self {
        let word = |is: bool, yes: &str, no: &str| if is { yes } else { no }.to_owned();
        let looked = record.investigated();
        let review = record.review.as_ref().filter(|_| looked);
        let or = |own: &Option<String>, ours: Option<&String>| own.clone().or_else(|| ours.cloned());
        Self {
            failure_id: record.dlq_id.clone(),
            service_name: record.service_name.clone(),
            task_id: record.task_id.clone(),
            correlation_id: record.correlation_id.clone(),
            queue_name: record.source_queue_name.clone(),
            source_queue_name: record.source_queue_name.clone(),
            retry_queue_name: record.retry_queue_name.clone(),
            dlq_name: record.queue_name.clone(),
            status: status(record).to_owned(),
            attempt: record.retry_attempt,
            max_attempts: record.max_retries,
            failed_at: record.failed_at.clone().unwrap_or_else(|| record.dead_lettered_at.clone()),
            error_type: record.exception_type.clone(),
            error_message: record.error_message.clone().or_else(|| Some(record.reason.clone())),
            worker_id: record.worker_id.clone(),
            payload_available: record.payload_available.unwrap_or(true),
            investigation_status: word(looked, "investigated", "unreviewed"),
            investigated_at: or(&record.investigated_at, review.map(|own| &own.at)),
            investigated_by: or(&record.investigated_by, review.map(|own| &own.by)),
            investigation_note: or(&record.investigation_note, review.and_then(|own| own.note.as_ref())),
            retry_status: word(record.retried(), "retried", "not_retried"),
            retried_at: or(&record.retried_at, record.replayed_at.as_ref()),
            retried_by: record.retried_by.clone(),
            retry_target_queue: record.replay_target_queue_name.clone(),
        }
    }
}

/// A part of the failed tasks, the last to fail first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FailedPage {
    pub items: Vec<FailedTask>,
    /// Where the next page begins, if there is more.
    pub next_cursor: Option<String>,
}

/// A retry by hand.
#[derive(Debug, Clone, Default)]
pub struct Manual {
    /// The same for every repetition of one call, which has one effect.
    pub request: String,
    pub who: String,
    pub note: Option<String>,
    /// Another queue than the one it came from.
    pub target_queue: Option<String>,
    /// Another body in the place of its own, in JSON.
    pub override_payload: Option<String>,
    /// Also if it was retried before.
    pub force: bool,
}

/// A failed task that was retried by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ManuallyRetried {
    pub failure_id: String,
    pub target_queue: String,
    /// `retried`.
    pub retry_status: &'static str,
    pub retried_at: String,
    pub retried_by: String,
    /// The task of the body that the queue got.
    pub retried_task_id: Option<String>,
    /// The job that the queue got.
    pub job_id: String,
}

impl Records<'_> {
    /// Failed tasks that a filter means, the last to fail first.
    pub async fn failed(
        &self,
        filter: &RecordFilter,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<Outcome<FailedPage>> {
        let page = self.list(filter, cursor, limit).await?;
        Ok(page.map(|page| FailedPage {
            items: page.items.iter().map(FailedTask::from).collect(),
            next_cursor: page.next_cursor,
        }))
    }

    /// Puts a failed task into the queue it came from, once, however often the button is pressed.
    pub async fn retry_by_hand(&self, id: &DeadLetterId, how: &Manual) -> Result<Outcome<ManuallyRetried>> {
        let again = Again {
            request: how.request.clone(),
            who: how.who.clone(),
            force: how.force,
            body: how.override_payload.clone(),
            queue: how.target_queue.clone(),
            note: how.note.clone(),
            by_hand: true,
        };
        Ok(self.replay(id, &again).await?.map(|done| ManuallyRetried {
            failure_id: id.to_string(),
            target_queue: done.target_queue_name,
            retry_status: "retried",
            retried_at: done.replayed_at,
            retried_by: how.who.clone(),
            retried_task_id: done.task_id,
            job_id: done.job_id,
        }))
    }
}
