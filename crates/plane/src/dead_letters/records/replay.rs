//! Another life for a record: one job for each replay, with the headers that the seed defines.

use quorate_catalog::ids::{DeadLetterId, QueueNameId};
use quorate_store::Result;
use serde_json::{Map, Value, json};

use super::{Change, Record, Records, bad, refused};
use crate::Outcome;
use crate::json::Object;

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
}

/// A record that was replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retried {
    pub job_id: String,
    pub target_queue_name: String,
    pub replayed_at: String,
    pub replay_count: u64,
}

impl Records<'_> {
    /// Puts what a record holds into its retry queue, once.
    pub async fn replay(&self, id: &DeadLetterId, how: &Again) -> Result<Outcome<Retried>> {
        super::super::check(&[("who", &how.who)])?;
        if let Some(body) = &how.body {
            crate::json::check(body).map_err(|why| bad(format!("the body: {why}")))?;
        }
        let seen = match self.get(id).await? {
            Outcome::Done(record) => record,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        let target = how.queue.clone().unwrap_or_else(|| seen.retry_queue_name.clone());
        let Ok(queue) = QueueNameId::parse(target.strip_prefix("job:").unwrap_or(&target)) else {
            return Ok(refused("no_replay", &target));
        };
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

fn judge(
    object: &Object,
    record: &Record,
    how: &Again,
    queue: &QueueNameId,
    now: &str,
) -> Result<Outcome<Change>> {
    if record.replays.iter().any(|one| one["request"] == *how.request) {
        return Ok(refused("repeated", ""));
    }
    if record.state != "dead_lettered" && !how.force {
        let job = record.replays.last().and_then(|one| one["job_id"].as_str()).unwrap_or("an unknown job");
        return Ok(refused("already_replayed", job));
    }
    if let Some(status) = record.status.as_ref().filter(|status| !ENDED.contains(&status.as_str())) {
        return Ok(refused("not_ended", status));
    }
    let number = record.replay_count + 1;
    let job = format!("{}.r{number}", record.dlq_id);
    let body = how.body.as_deref().or_else(|| object.get("body")).unwrap_or("null");
    let headers = headers(&record.headers, &record.dlq_id, now);
    let text = |name: &str| object.get(name).unwrap_or("null");
    // The body stands as it was written, digit by digit.
    let raw = if how.body.is_some() { "null" } else { text("raw_body_b64") };
    let message = format!(
        "{{\"dlq_id\":\"{}\",\"task_id\":{},\"correlation_id\":{},\"headers\":{},\"content_type\":{},\"body_encoding\":{},\
         \"body\":{body},\"raw_body_b64\":{raw}}}",
        record.dlq_id,
        text("task_id"),
        text("correlation_id"),
        Value::Object(headers),
        text("content_type"),
        if how.body.is_some() { "\"json\"" } else { text("body_encoding") },
    );
    let item = format!("\"id\":\"{job}\",\"payload\":{}}}", Value::from(message));
    let mut replays = record.replays.clone();
    replays.push(json!({ "n": number, "job_id": job, "target": queue.as_key(), "at": now, "by": how.who,
        "request": how.request, "edited": how.body.is_some() }));
    let first = replays.len().saturating_sub(REMEMBERED);
    let fields = json!({ "state": "replayed", "replay_count": number, "replayed_at": now,
        "replay_target_queue_name": queue.as_key(), "replays": replays[first..] });
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
    }
}
