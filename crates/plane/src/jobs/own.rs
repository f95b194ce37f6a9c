//! The plane's own jobs: what ade's queues `lock_cleanup` and `deadlock_detect` are for.
//!
//! They are schedules like any other, made where nobody has made them, and any process that keeps a plane takes what they
//! queue. An item stays on its queue until its work is done: the job's lock says who is at it, and if that process dies
//! another begins again when the lock has ended. A foreign item in one of these queues is done too.

use std::time::Duration;

use quorate_catalog::ids::{AgentId, JobId, QueueNameId};
use quorate_store::{Result, cmd};

use super::{Jobs, Plan, Recurrence, When};
use crate::queues::{Queue, item};

/// The jobs and when each runs; the seed looks for deadlocks every half minute at most.
const OWN: [(&str, &str); 2] = [("lock_cleanup", "0,30 * * * * *"), ("deadlock_detect", "15,45 * * * * *")];
/// How long one may take before another process begins again.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Items taken from one queue in one look.
const AT_ONCE: usize = 16;

impl Jobs<'_> {
    /// Makes the schedules that are not there. One that was changed or cancelled stays as it is.
    pub async fn provide(&self) -> Result<()> {
        for (name, cron) in OWN {
            let id = JobId::parse(name).expect("a name");
            if self.show(&id, 0).await?.is_none() {
                let recurrence = Recurrence::parse(cron, "UTC").expect("a pattern");
                let queue = QueueNameId::parse(name).expect("a name");
                let plan = Plan::new(queue, "", When::Recurring(Box::new(recurrence)));
                // Another process may have been faster; then this is refused.
                self.schedule(&Plan { id: Some(id), ..plan }).await?;
            }
        }
        Ok(())
    }

    /// Does what is in the queues of these jobs, as `worker`; how many items there were.
    pub async fn work_off(&self, worker: &AgentId) -> Result<u64> {
        let mut count = 0;
        for (name, _) in OWN {
            let queue = Queue::Job(QueueNameId::parse(name).expect("a name"));
            let shown = self.plane.queues().show(&queue, 0).await?;
            let most = if shown.paused.is_some() { 0 } else { shown.depth.min(AT_ONCE as u64) };
            for _ in 0..most {
                if !self.take(name, &queue, worker).await? {
                    break;
                }
                count += 1;
            }
        }
        Ok(count)
    }

    /// Does the oldest item of a queue; whether there may be more to do.
    async fn take(&self, name: &str, queue: &Queue, worker: &AgentId) -> Result<bool> {
        let list = queue.list(self.plane.keys());
        let mut oldest = cmd("LINDEX");
        let element: Option<Vec<u8>> = self.plane.store().query(oldest.arg(list.as_str()).arg(-1)).await?;
        let Some(element) = element else { return Ok(false) };
        let occurrence = item::open(&element).id.as_deref().and_then(occurrence);
        let mut begun = None;
        if let Some((job, planned)) = &occurrence {
            match self.begin(job, *planned, worker, TIMEOUT).await?.refusal() {
                None => begun = Some((job, *planned)),
                Some(why) if why.is("held") => return Ok(false),
                Some(why) if why.is("job_over") => return self.remove(list.as_str(), &element).await,
                // Nothing is known of it: it is done like a foreign one.
                Some(_) => {}
            }
        }
        let ended = self.perform(name).await;
        let told = begun.is_some();
        if let Some((job, planned)) = begun {
            let failure = ended.as_ref().err().map(ToString::to_string);
            self.finish(job, planned, worker, failure.as_deref()).await?;
        }
        self.remove(list.as_str(), &element).await?;
        // The occurrence says that it failed, and why; what has none is said by whoever runs this.
        if told { Ok(true) } else { ended.map(|()| true) }
    }

    async fn perform(&self, name: &str) -> Result<()> {
        match name {
            "deadlock_detect" => self.plane.locks().deadlocks(true).await.map(drop),
            _ => self.plane.locks().upkeep().await,
        }
    }

    async fn remove(&self, list: &str, element: &[u8]) -> Result<bool> {
        let mut remove = cmd("LREM");
        // If the answer is lost and it is sent again, at most an equal foreign item goes too, whose work was just done.
        remove.arg(list).arg(-1).arg(element);
        self.plane.store().repeatable().query::<u64>(&remove).await.map(|_| true)
    }
}

/// The job and the planned time that an item's id names.
fn occurrence(id: &str) -> Option<(JobId, u64)> {
    let (job, planned) = id.rsplit_once('.')?;
    Some((JobId::parse(job).ok()?, planned.parse().ok()?))
}
