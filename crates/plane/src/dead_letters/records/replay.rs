//! Another life for a record: one job for each replay, with the headers that the seed defines.

use quorate_catalog::ids::{DeadLetterId, Priority, QueueNameId};
use quorate_store::Result;
use serde_json::{Map, Value, json};

use super::{Change, Record, Records, bad, refused};
use crate::Outcome;
use crate::json::Object;
use crate::queues::Queue;

/// What a task may be that is replayed by hand; a record that does not say is a dead letter.
const ENDED: [&str; 3] = ["DLQ", "retry_exhausted", "terminal_failed"];
/// Replays that a record remembers.
const REMEMBERED: usize = 20;

/// How to replay a record.
#[derive(Debug, Clone, Default)]
pub struct Again {
    /// The same for every repetition of one call, which has one effect.
    pub request: String,
    pub who: String,
    /// Also if it was replayed before, or another client says that it is replaying it.
    pub force: bool,
    /// Another body in the place of its own, in JSON.
    pub body: Option<String>,
    /// Another queue in the place of its own.
    pub queue: Option<String>,
    /// For the record: what whoever retries it has to say.
    pub note: Option<String>,
    /// A retry by hand of a failed task: back to where it came from, with the headers that say so.
    pub by_hand: bool,
}

/// A record that was replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retried {
    pub job_id: String,
    pub target_queue_name: String,
    pub replayed_at: String,
    pub replay_count: u64,
    /// The task of the body that the queue got.
    pub task_id: Option<String>,
}

impl Records<'_> {
    /// Puts what a record holds into its retry queue, once.
    pub async fn replay(&self, id: &DeadLetterId, how: &Again) -> Result<Outcome<Retried>> {
        super::super::check(&[("who", &how.who), ("note", how.note.as_deref().unwrap_or_default())])?;
        if let Some(body) = &how.body {
            crate::json::check(body).map_err(|why| bad(format!("the body: {why}")))?;
        }
        let seen = match self.get(id).await? {
            Outcome::Done(record) => record,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        let usual = if how.by_hand { &seen.source_queue_name } else { &seen.retry_queue_name };
        let target = how.queue.clone().unwrap_or_else(|| usual.clone());
        let Some(queue) = read(&target) else { return Ok(refused("no_replay", &target)) };
        let now = self.plane.store().time().await?.iso();
        let judge = |object: &Object, record: &Record| judge(object, record, how, &queue, &now);
        match self.change(id, Some(&queue), how.force, judge).await? {
            Outcome::Done(record) => Ok(Outcome::Done(last(&record)?)),
            // The same call again: it is told what it was told.
            Outcome::Refused(why) if why.is("repeated") => {
                let record = match self.get(id).await? {
                    Outcome::Done(record) => record,
                    Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
                };
                let known = record.replays.iter().find(|one| one["request"] == *how.request);
                Ok(known.map_or_else(|| refused("no_letter", id.as_key()), |one| Outcome::Done(told(one))))
            }
            Outcome::Refused(why) => Ok(Outcome::Refused(why)),
        }
    }
}

/// What stands before the name of a queue by priority, where a record names a queue. Relayna's own names are those of job queues.
const BY_PRIORITY: &str = "priority:";

/// A queue as records name it.
pub(crate) fn called(queue: &Queue) -> String {
    match queue {
        Queue::Task(priority) => format!("{BY_PRIORITY}{}", priority.as_key()),
        Queue::Job(name) => name.as_key().to_owned(),
    }
}

pub(super) fn read(name: &str) -> Option<Queue> {
    match name.strip_prefix(BY_PRIORITY) {
        Some(priority) => Priority::parse(priority).ok().map(Queue::Task),
        None => QueueNameId::parse(name.strip_prefix("job:").unwrap_or(name)).ok().map(Queue::Job),
    }
}

fn judge(object: &Object, record: &Record, how: &Again, queue: &Queue, now: &str) -> Result<Outcome<Change>> {
    if record.replays.iter().any(|one| one["request"] == *how.request) {
        return Ok(refused("repeated", ""));
    }
    if record.retried() && !how.force {
        let job = record.replays.last().and_then(|one| one["job_id"].as_str()).unwrap_or("an unknown job");
        return Ok(refused("already_replayed", job));
    }
    if let Some(status) = record.status.as_ref().filter(|status| !ENDED.contains(&status.as_str())) {
        return Ok(refused("not_ended", status));
    }
    if how.by_hand && how.body.is_none() && record.payload_available == Some(false) {
        return Ok(refused("no_body", &record.dlq_id));
    }
    let (number, target) = (record.replay_count + 1, called(queue));
    let job = format!("{}.r{number}", record.dlq_id);
    let body = how.body.as_deref().or_else(|| object.get("body")).unwrap_or("null");
    let headers = if how.by_hand { by_hand } else { headers }(&record.headers, &record.dlq_id, now);
    let task = match &how.body {
        Some(body) => task_of(body),
        None => record.task_id.clone(),
    };
    let text = |name: &str| object.get(name).unwrap_or("null");
    // The body stands as it was written, digit by digit.
    let raw = if how.body.is_some() { "null" } else { text("raw_body_b64") };
    let message = format!(
        "{{\"dlq_id\":\"{}\",\"task_id\":{},\"correlation_id\":{},\"headers\":{},\"content_type\":{},\"body_encoding\":{},\
         \"body\":{body},\"raw_body_b64\":{raw}}}",
        record.dlq_id,
        task.as_deref().map_or("null".to_owned(), |task| Value::from(task).to_string()),
        text("correlation_id"),
        Value::Object(headers),
        text("content_type"),
        if how.body.is_some() { "\"json\"" } else { text("body_encoding") },
    );
    let item = format!("\"id\":\"{job}\",\"payload\":{}}}", Value::from(message));
    let mut replays = record.replays.clone();
    replays.push(json!({ "n": number, "job_id": job, "target": target, "at": now, "by": how.who,
        "request": how.request, "edited": how.body.is_some(), "task_id": task }));
    let first = replays.len().saturating_sub(REMEMBERED);
    let fields = json!({ "state": "replayed", "replay_count": number, "replayed_at": now,
        "replay_target_queue_name": target, "replays": replays[first..], "retry_status": "retried", "retried_at": now,
        "retried_by": how.who, "retried_task_id": task, "retry_target_queue": target, "retry_note": how.note });
    Ok(Outcome::Done((fields, Some(item))))
}

/// The headers of a replayed message: what is reset is kept under a name of its own.
fn headers(before: &Map<String, Value>, id: &str, now: &str) -> Map<String, Value> {
    let mut headers = before.clone();
    for name in ["retry-attempt", "failure-reason", "exception-type"] {
        if let Some(value) = headers.remove(&format!("x-relayna-{name}")) {
            headers.insert(format!("x-relayna-original-{name}"), value);
        }
    }
    headers.insert("x-relayna-replayed-from-dlq".into(), true.into());
    headers.insert("x-relayna-dlq-id".into(), id.into());
    headers.insert("x-relayna-replayed-at".into(), now.into());
    headers.insert("x-relayna-retry-attempt".into(), 0.into());
    headers
}

/// The headers of a message that somebody retries by hand.
fn by_hand(before: &Map<String, Value>, id: &str, now: &str) -> Map<String, Value> {
    let mut headers = before.clone();
    for name in ["failure-reason", "exception-type"] {
        headers.remove(&format!("x-relayna-{name}"));
    }
    headers.insert("x-relayna-manual-retry-from-failure-id".into(), id.into());
    headers.insert("x-relayna-manual-retry-at".into(), now.into());
    headers.insert("x-relayna-retry-attempt".into(), 0.into());
    headers
}

/// The task that a body names.
fn task_of(body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).ok()?;
    body["task_id"].as_str().map(str::to_owned)
}

fn last(record: &Record) -> Result<Retried> {
    record.replays.last().map(told).ok_or_else(|| bad("the replay was not recorded".to_owned()))
}

fn told(one: &Value) -> Retried {
    let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
    Retried {
        job_id: text("job_id"),
        target_queue_name: text("target"),
        replayed_at: text("at"),
        replay_count: one["n"].as_u64().unwrap_or_default(),
        task_id: one["task_id"].as_str().map(str::to_owned),
    }
}
