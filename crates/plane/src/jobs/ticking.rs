//! One look at the schedule, by any process.

use futures_util::StreamExt;
use futures_util::stream;
use quorate_catalog::ids::{JobId, QueueNameId};
use quorate_store::{Arg, FromRedisValue, Result, Value, cmd};
use serde::Deserialize;

use super::{CatchUp, Jobs, Recurrence, Ticked, script};
use crate::outcome::Reply;

/// Jobs looked at together, how many of them are fired by one script and how many foreign ones at once, rounds of one look.
const PAGE: usize = 200;
const TOGETHER: usize = 100;
const AT_ONCE: usize = 16;
const ROUNDS: usize = 50;
/// What is later than this was missed.
const LATE_MS: i64 = 5_000;

#[derive(Deserialize)]
struct Member {
    #[serde(rename = "type")]
    queue: Option<String>,
    job_id: Option<String>,
}

/// The job that a member of the schedule names, if it is ours.
pub(super) fn job_of(member: &[u8]) -> Option<JobId> {
    let member: Member = serde_json::from_slice(member).ok()?;
    JobId::parse(&member.job_id?).ok()
}

/// What a look needs to know of one of our own jobs.
struct Due {
    id: JobId,
    planned: u64,
    cron: Option<String>,
    zone: Option<String>,
    catch_up: String,
}

impl Jobs<'_> {
    /// Puts every job that is due into its queue. Safe in any number of processes.
    pub async fn tick(&self) -> Result<Ticked> {
        let mut done = Ticked::default();
        for _ in 0..ROUNDS {
            let members = self.due().await?;
            let (count, before) = (members.len(), done.queued + done.skipped);
            let (ours, foreign) = self.sorted(members).await?;
            for chunk in ours.chunks(TOGETHER) {
                self.fire(chunk, &mut done).await?;
            }
            let adopted: Vec<Result<bool>> = stream::iter(foreign)
                .map(|member| self.fire_foreign(member))
                .buffer_unordered(AT_ONCE)
                .collect()
                .await;
            for one in adopted {
                done.queued += u64::from(one?);
            }
            if count < PAGE && before == done.queued + done.skipped {
                break;
            }
        }
        Ok(done)
    }

    async fn due(&self) -> Result<Vec<Vec<u8>>> {
        let now = self.plane.store().time().await?.millis() as f64 / 1e3;
        let mut range = cmd("ZRANGEBYSCORE");
        range.arg(self.plane.keys().ade().scheduled_jobs().as_str()).arg("-inf").arg(format!("{now:.3}"));
        self.plane.store().query(range.arg("LIMIT").arg(0).arg(PAGE)).await
    }

    /// Which members are jobs of ours, and which are not.
    async fn sorted(&self, members: Vec<Vec<u8>>) -> Result<(Vec<Due>, Vec<Vec<u8>>)> {
        let named: Vec<Option<JobId>> = members.iter().map(|member| job_of(member)).collect();
        let mut read = redis::pipe();
        // A record of another type concerns its own job and no other.
        read.ignore_errors();
        for id in named.iter().flatten() {
            let record = self.plane.keys().quorate().job(id);
            read.cmd("HMGET").arg(record.as_str()).arg(&["state", "next_at", "cron", "zone", "catch_up"]);
        }
        let records: Vec<Value> = match named.iter().flatten().next() {
            Some(_) => self.plane.store().pipeline(&read).await?,
            None => Vec::new(),
        };
        let (mut ours, mut foreign, mut records) = (Vec::new(), Vec::new(), records.into_iter());
        for (member, id) in members.into_iter().zip(named) {
            let Some((id, record)) = id.and_then(|id| Some((id, records.next()?))) else {
                foreign.push(member);
                continue;
            };
            match <[Option<String>; 5]>::from_redis_value(record) {
                Ok([None, ..]) => foreign.push(member),
                Ok([_, next_at, cron, zone, catch_up]) => {
                    let planned = next_at.and_then(|at| at.parse().ok());
                    let catch_up = catch_up.unwrap_or_default();
                    ours.extend(planned.map(|planned| Due { id, planned, cron, zone, catch_up }));
                }
                Err(_) => {}
            }
        }
        Ok((ours, foreign))
    }

    /// Fires some in one call. Who else looks at the same moment finds them done.
    async fn fire(&self, jobs: &[Due], done: &mut Ticked) -> Result<()> {
        let now = self.plane.store().time().await?.millis();
        let firings = jobs.iter().map(|job| {
            let (next, missed) = after(job, now);
            Arg::from(format!("{} {} {next} {}", job.id.as_key(), job.planned, usize::from(missed)))
        });
        let keys = [self.plane.keys().ade().scheduled_jobs(), self.plane.keys().quorate().ended_jobs()];
        // A second delivery finds other occurrences planned, and does nothing.
        let store = self.plane.store().repeatable();
        let args: Vec<Arg<'_>> = firings.collect();
        let verdicts: Vec<String> = store.run(&self.plane.job_scripts().fire, &keys, &args).await?;
        for verdict in verdicts {
            let (word, late) = verdict.split_once(' ').unwrap_or((&verdict, ""));
            done.queued += u64::from(word == "queued");
            done.skipped += u64::from(word == "skipped");
            if word == "queued" {
                done.late_ms = done.late_ms.max(late.parse().unwrap_or(0));
            }
        }
        Ok(())
    }

    /// A job of another client goes to the queue that its type names.
    async fn fire_foreign(&self, member: Vec<u8>) -> Result<bool> {
        let read: Option<Member> = serde_json::from_slice(&member).ok();
        let queue = read.and_then(|member| QueueNameId::parse(&member.queue?).ok());
        let queue = queue.unwrap_or_else(|| QueueNameId::parse("unknown").expect("a name"));
        let payload = serde_json::Value::from(String::from_utf8_lossy(&member)).to_string();
        let keys = [self.plane.keys().ade().scheduled_jobs(), self.plane.keys().ade().job_queue(&queue)];
        let args = [Arg::from(member), Arg::from(crate::random_id()), Arg::from(payload)];
        let reply: Reply = self.plane.store().repeatable().run(&script::ADOPT, &keys, &args).await?;
        Ok(reply.first() == "queued")
    }
}

/// When the next occurrence is, 0 for never, and whether this one is left out.
fn after(job: &Due, now: u64) -> (u64, bool) {
    let (planned, now) =
        (i64::try_from(job.planned).unwrap_or(i64::MAX), i64::try_from(now).unwrap_or(i64::MAX));
    let recurrence = match (&job.cron, &job.zone) {
        (Some(cron), Some(zone)) => Recurrence::parse(cron, zone).ok(),
        _ => None,
    };
    let Some(recurrence) = recurrence else { return (0, false) };
    let from = if job.catch_up == CatchUp::All.as_str() { planned } else { now.max(planned) };
    let next = recurrence.next(from).and_then(|next| u64::try_from(next).ok()).unwrap_or(0);
    (next, job.catch_up == CatchUp::None.as_str() && now - planned > LATE_MS)
}
