//! `dead keep`, `dead retry`, `dead review`, `dead delete`: relayna's dead letters, changed.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::dead_letters::{Again, Record};

use crate::prelude::*;
use crate::said::Json;

/// Takes a dead letter into relayna's store.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Keep {
    /// The record as relayna's clients write it; `queue_name` and `reason` are needed, the rest is filled in.
    pub record: Blob,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Kept {
    /// `kept`, or `known` if this very record was there already.
    pub outcome: &'static str,
    pub dlq_id: String,
}

impl Verb for Keep {
    const ABOUT: About = About::new("dead", "keep", Method::Post, "/dead/records", Level::Work, Effect::Hot);
    type Answer = Kept;

    fn example() -> Value {
        json!({ "record": { "dlq_id": "8c1f0e2ab4", "queue_name": "tasks.dlq", "retry_queue_name": "tasks", "reason": "timeout",
            "task_id": "task-123", "retry_attempt": 3, "max_retries": 3, "body": { "n": 1 } } })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Kept>, Fault> {
        let outcome = call.plane.dead_letters().records().keep(&self.record.0.to_string()).await?;
        Ok(Verdict::from(outcome)
            .map(|(dlq_id, known)| Kept { outcome: if known { "known" } else { "kept" }, dlq_id }))
    }
}

/// Puts a dead letter of relayna's store into its retry queue again, once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Retry {
    /// The dead letter.
    pub dlq_id: Said<DeadLetterId>,
    /// Also if it was replayed before, or another client says that it is replaying it.
    #[serde(default)]
    pub force: bool,
    /// Another body in the place of its own, in JSON.
    #[serde(default)]
    pub body: Option<Json>,
    /// Another queue in the place of its own.
    #[serde(default)]
    pub queue: Option<String>,
    /// A retry by hand of a failed task: back to the queue it came from, with headers that say so.
    #[serde(default)]
    pub by_hand: bool,
    /// What there is to say about it.
    #[serde(default)]
    pub note: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Retried {
    pub dlq_id: String,
    /// The job that the queue got; it is named after the dead letter and the number of the replay.
    pub job_id: String,
    pub target_queue_name: String,
    /// `replayed`.
    pub state: &'static str,
    pub replayed_at: String,
    pub replay_count: u64,
    pub forced: bool,
    /// The task of the body that the queue got.
    pub task_id: Option<String>,
}

impl Verb for Retry {
    const ABOUT: About = About::new(
        "dead",
        "retry",
        Method::Post,
        "/dead/records/{dlq_id}/replay",
        Level::Operate,
        Effect::Change,
    )
    .also(&[("id", "dlq_id")]);
    type Answer = Retried;

    fn example() -> Value {
        json!({ "dlq_id": "8c1f0e2ab4", "queue": "tasks" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Retried>, Fault> {
        let how = Again {
            request: call.request(),
            who: call.name(),
            force: self.force,
            body: self.body.as_ref().map(|body| body.0.clone()),
            queue: self.queue.clone(),
            note: self.note.clone(),
            by_hand: self.by_hand,
        };
        let outcome = call.plane.dead_letters().records().replay(&self.dlq_id, &how).await?;
        Ok(Verdict::from(outcome).map(|done| Retried {
            dlq_id: self.dlq_id.to_string(),
            job_id: done.job_id,
            target_queue_name: done.target_queue_name,
            state: "replayed",
            replayed_at: done.replayed_at,
            replay_count: done.replay_count,
            forced: self.force,
            task_id: done.task_id,
        }))
    }
}

/// Marks a dead letter of relayna's store as looked into, or takes that mark away.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Mark {
    /// The dead letter.
    pub dlq_id: Said<DeadLetterId>,
    /// What was found out; without it, the mark is taken away.
    #[serde(default)]
    pub note: Option<String>,
}

impl Verb for Mark {
    const ABOUT: About = About::new(
        "dead",
        "review",
        Method::Post,
        "/dead/records/{dlq_id}/review",
        Level::Operate,
        Effect::Change,
    )
    .also(&[("id", "dlq_id")]);
    type Answer = Record;

    fn example() -> Value {
        json!({ "dlq_id": "8c1f0e2ab4", "note": "the disk was full" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Record>, Fault> {
        let records = call.plane.dead_letters().records();
        Ok(records.review(&self.dlq_id, &call.name(), self.note.as_deref()).await?.into())
    }
}

/// Deletes a dead letter of relayna's store; the audit keeps who and why.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Delete {
    /// The dead letter.
    pub dlq_id: Said<DeadLetterId>,
    /// Why, for the audit.
    #[serde(default)]
    pub reason: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Deleted {
    /// `deleted`.
    pub outcome: &'static str,
    pub dlq_id: String,
}

impl Verb for Delete {
    const ABOUT: About = About::new(
        "dead",
        "delete",
        Method::Delete,
        "/dead/records/{dlq_id}",
        Level::Operate,
        Effect::Destroys,
    )
    .also(&[("id", "dlq_id")]);
    type Answer = Deleted;

    fn example() -> Value {
        json!({ "dlq_id": "8c1f0e2ab4", "reason": "done by hand" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Deleted>, Fault> {
        let outcome =
            call.plane.dead_letters().records().drop(&self.dlq_id, &call.name(), &self.reason).await?;
        Ok(Verdict::from(outcome).map(|()| Deleted { outcome: "deleted", dlq_id: self.dlq_id.to_string() }))
    }
}
