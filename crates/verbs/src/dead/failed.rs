//! `dead failed`, `dead failure`: relayna's dead letters as failed tasks, for their review.

use quorate_catalog::ids::{DeadLetterId, TaskId};
use quorate_plane::dead_letters::{FailedFilter, FailedPage, FailedTask, Record, RecordFilter};

use super::records::status_of;
use crate::prelude::*;
use crate::said::moment_of;

/// Lists failed tasks for their review, the last to fail first.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Failed {
    /// Only those that failed in this service.
    #[serde(default)]
    pub service_name: Option<String>,
    /// Only those that came from this queue.
    #[serde(default)]
    pub queue_name: Option<String>,
    /// Only those that lie in this queue of dead letters.
    #[serde(default)]
    pub dlq_name: Option<String>,
    /// Only those with exactly this type of error.
    #[serde(default)]
    pub error_type: Option<String>,
    /// Only those whose task stood there: DLQ, retry_exhausted, terminal_failed.
    #[serde(default)]
    pub status: Option<String>,
    /// Only those of this task.
    #[serde(default)]
    pub task_id: Option<Said<TaskId>>,
    /// Only those that failed with this worker.
    #[serde(default)]
    pub worker_id: Option<String>,
    /// Only those that somebody has looked into, or only those that nobody has.
    #[serde(default)]
    pub investigation_status: Option<Looked>,
    /// Only those that failed at this moment or later, in ISO 8601.
    #[serde(default)]
    pub failed_from: Option<String>,
    /// Only those that failed at this moment or earlier, in ISO 8601.
    #[serde(default)]
    pub failed_to: Option<String>,
    /// Where the last page ended.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Most to list; 50 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 200>>,
}

/// Whether somebody has looked into a failed task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Looked {
    Unreviewed,
    Investigated,
}

impl Verb for Failed {
    const ABOUT: About = About::new("dead", "failed", Method::Get, "/dead/failed", Level::Read, Effect::None);
    type Answer = FailedPage;

    fn example() -> Value {
        json!({ "error_type": "TimeoutError", "investigation_status": "unreviewed", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<FailedPage>, Fault> {
        let filter = RecordFilter {
            task_id: self.task_id.as_ref().map(|task| task.0.to_string()),
            investigated: self.investigation_status.map(|looked| looked == Looked::Investigated),
            failed: FailedFilter {
                service_name: self.service_name.clone(),
                queue_name: self.queue_name.clone(),
                dlq_name: self.dlq_name.clone(),
                error_type: self.error_type.clone(),
                status: self.status.clone(),
                worker_id: self.worker_id.clone(),
                from: moment_of("failed_from", self.failed_from.as_deref())?,
                to: moment_of("failed_to", self.failed_to.as_deref())?,
            },
            ..RecordFilter::default()
        };
        let limit = self.limit.map_or(50, Within::count);
        let records = call.plane.dead_letters().records();
        Ok(records.failed(&filter, self.cursor.as_deref(), limit).await?.into())
    }
}

/// Shows one failed task with everything that was kept of it, and what was reported of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Failure {
    /// The failed task, by its dead letter.
    pub failure_id: Said<DeadLetterId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FailedDetail {
    #[serde(flatten)]
    pub task: FailedTask,
    pub dlq_id: String,
    pub reason: String,
    pub headers: Value,
    pub content_type: Option<String>,
    pub body: Value,
    pub body_encoding: String,
    pub raw_body_b64: Option<Value>,
    pub traceback: Option<Value>,
    pub last_logs: Option<Value>,
    pub diagnosis: Option<Value>,
    /// Its last retries.
    pub replays: Vec<Value>,
    /// The status of its task that counts, if anybody reported one.
    pub latest_status: Option<Value>,
    /// The last ones, newest first.
    pub status_history: Vec<Value>,
}

impl FailedDetail {
    fn of(record: Record, (latest_status, status_history): (Option<Value>, Vec<Value>)) -> Self {
        Self {
            task: FailedTask::from(&record),
            dlq_id: record.dlq_id,
            reason: record.reason,
            headers: Value::Object(record.headers),
            content_type: record.content_type,
            body: record.body,
            body_encoding: record.body_encoding,
            raw_body_b64: record.raw_body_b64,
            traceback: record.traceback,
            last_logs: record.last_logs,
            diagnosis: record.diagnosis,
            replays: record.replays,
            latest_status,
            status_history,
        }
    }
}

impl Verb for Failure {
    const ABOUT: About =
        About::new("dead", "failure", Method::Get, "/dead/failed/{failure_id}", Level::Read, Effect::None)
            .also(&[("id", "failure_id")]);
    type Answer = FailedDetail;

    fn example() -> Value {
        json!({ "failure_id": "8c1f0e2ab4" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<FailedDetail>, Fault> {
        let record = call.plane.dead_letters().records().get(&self.failure_id).await?;
        let record = match record {
            quorate_plane::Outcome::Done(record) => record,
            quorate_plane::Outcome::Refused(why) => return Ok(Verdict::Refused(why.into())),
        };
        let status = status_of(call, &record).await?;
        Ok(Verdict::Done(FailedDetail::of(record, status)))
    }
}
