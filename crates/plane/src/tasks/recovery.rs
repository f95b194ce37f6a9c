//! What is done for tasks whose workers are not heard from any more.

use std::time::Duration;

use quorate_catalog::ids::TaskId;
use quorate_store::{Error, ErrorKind, Result, args};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::leases::{Leases, Recovery};
use super::{Observation, Report};
use crate::Outcome;
use crate::dead_letters::called;
use crate::json::Object;
use crate::outcome::{Reply, undecodable};
use crate::queues::{Push, Queue};

/// How long a process has for the recoveries it takes on.
const WHILE: Duration = Duration::from_secs(30);
/// Where a dead letter lies that came from no queue, and so can be tried again only in one that somebody names.
const NO_QUEUE: &str = "-";
/// Leases taken on at once.
const BATCH: u64 = 100;

/// What becomes of work that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It is refused, and its broker does with it what it does.
    Reject,
    /// It is put back as it was.
    Requeue,
    /// It is tried again as this attempt.
    Retry {
        attempt: u32,
    },
    DeadLetter,
}

/// Decides about work whose `attempt`, counted from 0, has failed. Without a policy it is refused, or put back if that is wanted.
pub const fn decide(max_retries: Option<u32>, attempt: u32, requeue: bool) -> Decision {
    match max_retries {
        None if requeue => Decision::Requeue,
        None => Decision::Reject,
        Some(most) if attempt < most => Decision::Retry { attempt: attempt + 1 },
        Some(_) => Decision::DeadLetter,
    }
}

/// A lease whose recovery was taken on.
struct Lapsed {
    task: TaskId,
    owner: String,
    token: String,
    action: Recovery,
    queue: String,
    payload: String,
    attempt: u32,
    max_retries: u32,
}

impl Lapsed {
    fn read(words: &[String]) -> Option<Self> {
        let [task, owner, token, action, queue, payload, attempt, most] = words else { return None };
        Some(Self {
            task: TaskId::parse(task).ok()?,
            owner: owner.clone(),
            token: token.clone(),
            action: Recovery::read(action),
            queue: queue.clone(),
            payload: payload.clone(),
            attempt: attempt.parse().unwrap_or_default(),
            max_retries: most.parse().unwrap_or_default(),
        })
    }

    /// The name of what its recovery does, the same whoever does it.
    fn name(&self, what: &str) -> String {
        format!("lease-{}-{what}", self.token)
    }

    /// It as a dead letter of its queue. The work goes in as it was written, byte for byte, if it is JSON.
    fn record(&self) -> String {
        let queue = self.queue.parse().map_or_else(|_| NO_QUEUE.to_owned(), |queue| called(&queue));
        let own = hex::encode(Sha256::digest(format!("{} {}", self.task, self.token)));
        let body = match serde_json::from_str::<&RawValue>(&self.payload) {
            _ if self.queue.is_empty() => "null".to_owned(),
            Ok(raw) => raw.get().to_owned(),
            Err(_) => json!(self.payload).to_string(),
        };
        let known = json!({ "dlq_id": format!("lease-{}", &own[..32]), "queue_name": queue, "task_id": self.task.as_key(),
            "reason": "lease_expired", "retry_attempt": self.attempt, "max_retries": self.max_retries,
            "worker": self.owner, "payload_available": !self.queue.is_empty() })
        .to_string();
        format!("{},\"body\":{body}}}", known.trim_end_matches('}'))
    }

    fn facts(&self) -> Json {
        json!({ "reason": "lease_expired", "lease_owner": self.owner, "lease_action": self.action.as_str(),
            "retry_attempt": self.attempt })
    }
}

impl Leases<'_> {
    /// Recovers what has lapsed; how many tasks. Any number of processes may do it at once.
    pub async fn recover(&self) -> Result<usize> {
        let while_ms = crate::locks::millis(WHILE);
        let plane = self.plane();
        let args = args![&plane.keys().prefixes().relayna_status, BATCH, while_ms];
        let words: Vec<String> =
            plane.store().run(&plane.task_scripts().recover, &[self.due()?], &args).await?;
        // One that cannot be recovered now keeps nobody else waiting; it is looked at again.
        let (mut count, mut fault) = (0, None);
        for lapsed in words.chunks(8).filter_map(Lapsed::read) {
            match self.recover_one(&lapsed).await {
                Ok(settled) => count += usize::from(settled),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(count), Err)
    }

    /// Whether it was still there to be settled when its recovery was done.
    async fn recover_one(&self, lapsed: &Lapsed) -> Result<bool> {
        self.carry_out(lapsed).await?;
        let (plane, args) = (self.plane(), args![lapsed.task.as_key(), &lapsed.token]);
        let script = &plane.task_scripts().settle;
        let reply: Reply = plane.store().repeatable().run(script, &self.keys(&lapsed.task)?, &args).await?;
        Ok(matches!(reply.split(), Ok((word, _)) if word == "settled"))
    }

    async fn carry_out(&self, lapsed: &Lapsed) -> Result<()> {
        self.note(lapsed).await?;
        match lapsed.action {
            Recovery::ObserveOnly => Ok(()),
            Recovery::PublishStaleStatus => self.say(lapsed, "stale", lapsed.attempt).await,
            Recovery::Requeue => self.put_again(lapsed, "requeued", lapsed.attempt).await,
            Recovery::DeadLetter => self.bury(lapsed).await,
            Recovery::Retry => match decide(Some(lapsed.max_retries), lapsed.attempt, false) {
                Decision::Retry { attempt } => self.put_again(lapsed, "retrying", attempt).await,
                _ => self.bury(lapsed).await,
            },
        }
    }

    async fn note(&self, lapsed: &Lapsed) -> Result<()> {
        let mut document = lapsed.facts();
        document["event_type"] = "TaskLeaseExpired".into();
        document["component"] = "task_leases".into();
        document["event_id"] = lapsed.name("expired").into();
        // The time is left out of what it is known by: a recovery that is begun twice has noted one thing.
        let document = Object::parse(&document.to_string()).map_err(|why| undecodable(&why))?;
        let seen = Observation::of(lapsed.task.clone(), document).map_err(|why| undecodable(&why))?;
        done(self.plane().tasks().observe(&seen).await?)
    }

    async fn say(&self, lapsed: &Lapsed, status: &str, attempt: u32) -> Result<()> {
        let mut meta = lapsed.facts();
        meta["retry_attempt"] = attempt.into();
        let document = json!({ "status": status, "event_id": lapsed.name(status), "meta": meta,
            "message": "the lease of its worker has lapsed" });
        let document = Object::parse(&document.to_string()).map_err(|why| undecodable(&why))?;
        let report = Report::of(lapsed.task.clone(), document).map_err(|why| undecodable(&why))?;
        done(self.plane().tasks().report(&report).await?)
    }

    /// The task has failed; its work, where it was said, is among the dead letters and can be tried again from there.
    async fn bury(&self, lapsed: &Lapsed) -> Result<()> {
        done(self.plane().dead_letters().records().keep(&lapsed.record()).await?)?;
        self.say(lapsed, "failed", lapsed.attempt).await
    }

    async fn put_again(&self, lapsed: &Lapsed, status: &str, attempt: u32) -> Result<()> {
        let Ok(queue) = lapsed.queue.parse::<Queue>() else {
            return self.say(lapsed, "stale", attempt).await;
        };
        let key = format!("lease:{}:{}", lapsed.task, lapsed.token);
        let push = Push { key: Some(key), ..Push::new(&lapsed.payload) };
        done(self.plane().queues().push(&queue, &push).await?)?;
        self.say(lapsed, status, attempt).await
    }
}

/// What is refused now, as a queue that is full does, leaves the lease as it is, and it is looked at again.
fn done<T>(outcome: Outcome<T>) -> Result<()> {
    match outcome {
        Outcome::Done(_) => Ok(()),
        Outcome::Refused(why) => {
            Err(Error::new(ErrorKind::Rejected, "tasks", format!("a lease lapsed, and {}", why.reason)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_refused_put_back_tried_again_or_buried() {
        assert_eq!(decide(None, 0, false), Decision::Reject);
        assert_eq!(decide(None, 9, true), Decision::Requeue);
        assert_eq!(decide(Some(3), 0, true), Decision::Retry { attempt: 1 });
        assert_eq!(decide(Some(3), 2, false), Decision::Retry { attempt: 3 });
        assert_eq!(decide(Some(3), 3, false), Decision::DeadLetter);
        assert_eq!(decide(Some(0), 0, false), Decision::DeadLetter);
    }
}
