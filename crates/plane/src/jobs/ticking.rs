//! One look at the schedule, by any process.

use futures_util::StreamExt;
use futures_util::stream;
use quorate_catalog::ids::{JobId, QueueNameId};
use quorate_store::{Arg, Result, cmd};
use serde::Deserialize;

use super::{CatchUp, Job, Jobs, Recurrence, Ticked, script};
use crate::outcome::Reply;

/// Jobs looked at together, how many of them at once, and rounds of one look.
const PAGE: usize = 200;
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

enum Fired {
    Queued(u64),
    Skipped,
    Nothing,
}

impl Jobs<'_> {
    /// Puts every job that is due into its queue. Safe in any number of processes.
    pub async fn tick(&self) -> Result<Ticked> {
        let mut done = Ticked::default();
        for _ in 0..ROUNDS {
            let due = self.due().await?;
            let count = due.len();
            let fired: Vec<Result<Fired>> =
                stream::iter(due).map(|member| self.fire(member)).buffer_unordered(AT_ONCE).collect().await;
            let mut moved = false;
            for one in fired {
                match one? {
                    Fired::Queued(late) => {
                        done.queued += 1;
                        done.late_ms = done.late_ms.max(late);
                        moved = true;
                    }
                    Fired::Skipped => {
                        done.skipped += 1;
                        moved = true;
                    }
                    Fired::Nothing => {}
                }
            }
            if count < PAGE && !moved {
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

    async fn fire(&self, member: Vec<u8>) -> Result<Fired> {
        if let Some(id) = job_of(&member)
            && let Some(job) = self.show(&id, 0).await?
        {
            return self.fire_ours(&id, &job).await;
        }
        self.fire_foreign(&member).await
    }

    async fn fire_ours(&self, id: &JobId, job: &Job) -> Result<Fired> {
        let planned = job.next_at.as_deref().and_then(quorate_store::Micros::parse_iso);
        let (Some(planned), Ok(queue)) = (planned, QueueNameId::parse(&job.queue)) else {
            return Ok(Fired::Nothing);
        };
        let now = self.plane.store().time().await?.millis();
        let (next, missed) = after(job, planned.millis(), now);
        let keys = self.plane.keys();
        let list = [
            keys.ade().scheduled_jobs(),
            keys.quorate().job(id),
            keys.quorate().job_runs(id),
            keys.ade().job_lock(id),
            keys.ade().job_queue(&queue),
            keys.quorate().ended_jobs(),
        ];
        let args = [
            Arg::from(id.as_key()),
            Arg::from(planned.millis()),
            Arg::from(next),
            Arg::from(usize::from(missed)),
        ];
        // A second delivery finds another occurrence planned, and does nothing.
        let reply: Reply = self.plane.store().repeatable().run(&script::FIRE, &list, &args).await?;
        let late = reply.word(1).and_then(|late| late.parse().ok()).unwrap_or(0);
        Ok(match reply.first() {
            "queued" => Fired::Queued(late),
            "skipped" => Fired::Skipped,
            _ => Fired::Nothing,
        })
    }

    /// A job of another client goes to the queue that its type names.
    async fn fire_foreign(&self, member: &[u8]) -> Result<Fired> {
        let read: Option<Member> = serde_json::from_slice(member).ok();
        let queue = read.and_then(|member| QueueNameId::parse(&member.queue?).ok());
        let queue = queue.unwrap_or_else(|| QueueNameId::parse("unknown").expect("a name"));
        let payload = serde_json::Value::from(String::from_utf8_lossy(member)).to_string();
        let keys = [self.plane.keys().ade().scheduled_jobs(), self.plane.keys().ade().job_queue(&queue)];
        let args = [Arg::from(member), Arg::from(crate::random_id()), Arg::from(payload)];
        let reply: Reply = self.plane.store().repeatable().run(&script::ADOPT, &keys, &args).await?;
        Ok(if reply.first() == "queued" { Fired::Queued(0) } else { Fired::Nothing })
    }
}

/// When the next occurrence is, 0 for never, and whether this one is left out.
fn after(job: &Job, planned: u64, now: u64) -> (u64, bool) {
    let (planned, now) = (i64::try_from(planned).unwrap_or(i64::MAX), i64::try_from(now).unwrap_or(i64::MAX));
    let recurrence = match (&job.cron, &job.zone) {
        (Some(cron), Some(zone)) => Recurrence::parse(cron, zone).ok(),
        _ => None,
    };
    let Some(recurrence) = recurrence else { return (0, false) };
    let from = if job.catch_up == CatchUp::All.as_str() { planned } else { now.max(planned) };
    let next = recurrence.next(from).and_then(|next| u64::try_from(next).ok()).unwrap_or(0);
    (next, job.catch_up == CatchUp::None.as_str() && now - planned > LATE_MS)
}
