//! Who works on a task, and what is done when it is not heard from again.
//!
//! The record of a lease outlives it; the key that lapses by itself, as the seed's clients keep it, is gone before anybody
//! could look. What a recovery does carries a name made of the task and the lease's token, so a recovery that is begun twice,
//! because its first process died, has one effect.

use std::time::Duration;

use quorate_catalog::Key;
use quorate_catalog::ids::TaskId;
use quorate_store::{Error, ErrorKind, Micros, Result, args, cmd};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Tasks;
use crate::locks::millis;
use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};

/// How long a lease lasts unless it is said otherwise, and the longest.
pub const LEASE: Duration = Duration::from_secs(60);
const LONGEST: Duration = Duration::from_secs(86_400);

/// What is done when a lease lapses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// It is noted among the task's observations, which is done in any case.
    #[default]
    ObserveOnly,
    /// The task's status becomes `stale`.
    PublishStaleStatus,
    /// The work is put into its queue again.
    Requeue,
    /// The same as another attempt, if one is left; else it has failed.
    Retry,
    /// The task has failed; its work, if it is of a job queue, becomes a record among the dead letters.
    DeadLetter,
}

impl Recovery {
    const ALL: [(&'static str, Self); 5] = [
        ("observe_only", Self::ObserveOnly),
        ("publish_stale_status", Self::PublishStaleStatus),
        ("requeue", Self::Requeue),
        ("retry", Self::Retry),
        ("dead_letter", Self::DeadLetter),
    ];

    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, own)| *own == self).map_or("observe_only", |(name, _)| name)
    }

    /// A word that nobody knows is taken for the least that can be done.
    pub(super) fn read(word: &str) -> Self {
        Self::ALL.iter().find(|(name, _)| *name == word).map_or(Self::ObserveOnly, |(_, own)| *own)
    }
}

/// What is wanted.
#[derive(Debug, Clone)]
pub struct Wish {
    pub task: TaskId,
    pub owner: String,
    pub ttl: Duration,
    pub recovery: Recovery,
    /// Where the work is put again, and the work.
    pub work: Option<(crate::queues::Queue, String)>,
    pub attempt: u32,
    pub max_retries: u32,
}

impl Wish {
    pub fn new(task: TaskId, owner: impl Into<String>) -> Self {
        Self {
            task,
            owner: owner.into(),
            ttl: LEASE,
            recovery: Recovery::default(),
            work: None,
            attempt: 0,
            max_retries: 3,
        }
    }
}

/// A lease.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Lease {
    pub task_id: String,
    pub owner: String,
    /// What its owner shows to renew it or to give it back.
    pub token: String,
    /// When it lapses, in ISO 8601.
    pub until: String,
    /// What is done then.
    pub action: Recovery,
    pub attempt: u32,
    /// Whether it has lapsed and waits for its recovery.
    pub lapsed: bool,
}

/// The leases of tasks.
#[derive(Debug, Clone, Copy)]
pub struct Leases<'p> {
    plane: &'p Plane,
}

impl<'p> Tasks<'p> {
    pub fn leases(&self) -> Leases<'p> {
        Leases { plane: self.plane }
    }
}

impl Leases<'_> {
    /// Leases a task; refused while somebody else has it.
    pub async fn take(&self, wish: &Wish) -> Result<Outcome<Lease>> {
        check(&wish.owner, wish.ttl)?;
        let (queue, payload) = match &wish.work {
            Some((queue, payload)) => (queue.name(), payload.as_str()),
            None if matches!(wish.recovery, Recovery::Requeue | Recovery::Retry) => {
                return Err(bad("to be put again, the work and its queue must be said"));
            }
            None => (String::new(), ""),
        };
        if payload.len() > crate::json::OBJECT_MAX {
            return Err(bad("the work is longer than 65,536 bytes"));
        }
        let args = args![
            wish.task.as_key(),
            &wish.owner,
            millis(wish.ttl),
            wish.recovery.as_str(),
            queue,
            payload,
            wish.attempt,
            wish.max_retries,
        ];
        let script = &self.plane.task_scripts().lease;
        let reply: Reply = self.plane.store().run(script, &self.keys(&wish.task)?, &args).await?;
        Ok(match reply.expect("leased")? {
            Outcome::Refused(refusal) => Outcome::Refused(refusal),
            Outcome::Done(words) => {
                let [token, until] = &words[..] else { return Err(undecodable("a lease")) };
                Outcome::Done(Lease {
                    task_id: wish.task.to_string(),
                    owner: wish.owner.clone(),
                    token: token.clone(),
                    until: iso(until),
                    action: wish.recovery,
                    attempt: wish.attempt,
                    lapsed: false,
                })
            }
        })
    }

    /// Renews a lease from now on; when it lapses then.
    pub async fn beat(
        &self,
        task: &TaskId,
        owner: &str,
        token: &str,
        ttl: Duration,
    ) -> Result<Outcome<String>> {
        check(owner, ttl)?;
        let kept = self.keep(task, owner, token, millis(ttl)).await?.expect("kept")?;
        let words = self.plane.late(kept).await;
        Ok(words.map(|words| words.first().map(|until| iso(until)).unwrap_or_default()))
    }

    /// Gives a lease back.
    pub async fn release(&self, task: &TaskId, owner: &str, token: &str) -> Result<Outcome<()>> {
        let released = self.keep(task, owner, token, 0).await?.expect("released")?;
        Ok(self.plane.late(released).await.map(drop))
    }

    async fn keep(&self, task: &TaskId, owner: &str, token: &str, ttl_ms: i64) -> Result<Reply> {
        let args = args![task.as_key(), owner, token, ttl_ms];
        self.plane.store().run(&self.plane.task_scripts().keep, &self.keys(task)?, &args).await
    }

    /// The leases there are, the one that lapses first first.
    pub async fn list(&self, limit: usize) -> Result<Vec<Lease>> {
        let mut range = cmd("ZRANGE");
        range.arg(self.due()?.as_str()).arg(0).arg(limit.saturating_sub(1));
        let names: Vec<String> = self.plane.store().query(&range).await?;
        let now = self.plane.store().time().await?.millis();
        let mut found = Vec::new();
        for task in names.iter().filter_map(|name| TaskId::parse(name).ok()) {
            let fields = ["owner", "token", "until", "action", "attempt"];
            let mut get = cmd("HMGET");
            get.arg(self.keys(&task)?[0].as_str()).arg(&fields);
            let values: Vec<Option<String>> = self.plane.store().query(&get).await?;
            let text = |at: usize| values.get(at).cloned().flatten().unwrap_or_default();
            if text(0).is_empty() {
                continue;
            }
            found.push(Lease {
                task_id: task.to_string(),
                owner: text(0),
                token: text(1),
                until: iso(&text(2)),
                action: Recovery::read(&text(3)),
                attempt: text(4).parse().unwrap_or_default(),
                lapsed: text(2).parse::<u64>().is_ok_and(|until| until <= now),
            });
        }
        Ok(found)
    }

    /// How many leases have lapsed and wait for their recovery.
    pub async fn lapsed(&self) -> Result<u64> {
        let now = self.plane.store().time().await?.millis();
        let mut count = cmd("ZCOUNT");
        count.arg(self.due()?.as_str()).arg("-inf").arg(now);
        self.plane.store().query(&count).await
    }

    pub(super) fn keys(&self, task: &TaskId) -> Result<[Key; 2]> {
        let own = self.plane.keys().quorate();
        Ok([own.task_lease(&self.plane.tasks().record(task)?), self.due()?])
    }

    pub(super) fn due(&self) -> Result<Key> {
        Ok(self.plane.keys().quorate().task_leases(&self.plane.tasks().store()?))
    }

    pub(super) fn plane(&self) -> &Plane {
        self.plane
    }
}

fn iso(ms: &str) -> String {
    ms.parse().map(|ms| Micros::from_millis(ms).iso()).unwrap_or_default()
}

fn check(owner: &str, ttl: Duration) -> Result<()> {
    if owner.is_empty() || owner.len() > 256 || owner.contains(char::is_control) {
        return Err(bad("an owner has from 1 to 256 bytes and no control characters"));
    }
    if ttl < Duration::from_millis(1) || ttl > LONGEST {
        return Err(bad("a lease is from 1ms to 24h"));
    }
    Ok(())
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "task leases", what)
}
