//! What runs when.
//!
//! A schedule is a record; the seed's sorted set says what is due, one member for each job, however equal two of them are. Any
//! number of schedulers look at it: the script that puts an occurrence into its queue checks that it is due and plans the
//! next one, so each occurrence is queued once, and never early. Every occurrence has an id and a state.

mod fsck;
mod list;
mod model;
mod own;
mod schedule;
mod script;
mod ticking;

use std::collections::HashMap;
use std::time::Duration;

use quorate_catalog::ids::{AgentId, JobId};
use quorate_store::{Arg, Error, ErrorKind, Result, cmd};

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};
pub use fsck::invariants;
pub use list::{Page, Query};
pub use model::{CatchUp, Job, MAX_PAYLOAD, Overlap, Plan, Run, Scheduled, Ticked, When};
pub use schedule::Recurrence;
pub(crate) use script::Scripts;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Jobs<'p> {
    plane: &'p Plane,
    request: Option<&'p str>,
}

impl<'p> Jobs<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, request: None }
    }

    /// The same for a call that has a name: however often it is made, it has one effect.
    #[must_use]
    pub fn asked(self, request: Option<&'p str>) -> Self {
        Self { request, ..self }
    }

    fn request(&self) -> String {
        self.request.map_or_else(crate::random_id, str::to_owned)
    }

    /// Schedules a job.
    pub async fn schedule(&self, plan: &Plan) -> Result<Outcome<Scheduled>> {
        if plan.payload.len() > MAX_PAYLOAD {
            return Err(invalid(format!("a payload has at most {MAX_PAYLOAD} bytes")));
        }
        let request = self.request();
        let named = plan.id.clone().map_or_else(|| JobId::parse(&request), Ok);
        let id = named.map_err(|bad| invalid(bad.to_string()))?;
        let (at, delay) = match &plan.when {
            When::At(at) => (at.millis().max(1), Duration::ZERO),
            When::In(delay) => (0, *delay),
            When::Recurring(recurrence) => {
                let now = i64::try_from(self.plane.store().time().await?.millis()).unwrap_or(i64::MAX);
                let next = recurrence.next(now).and_then(|next| u64::try_from(next).ok());
                (next.ok_or_else(|| invalid("the pattern never comes".to_owned()))?, Duration::ZERO)
            }
        };
        let payload = serde_json::Value::from(plan.payload.as_str()).to_string();
        let member = format!("{{\"type\":\"{}\",\"target\":{payload},\"job_id\":\"{id}\"}}", plan.queue);
        let mut args = vec![
            Arg::from(request),
            Arg::from(at),
            Arg::from(crate::locks::millis(delay)),
            Arg::from(id.as_key()),
            Arg::from(member),
        ];
        args.extend(
            fields(plan, payload).into_iter().flat_map(|(name, value)| [Arg::from(name), Arg::from(value)]),
        );
        let reply: Reply = self.plane.store().run(&script::SCHEDULE, &self.places(&id), &args).await?;
        let when = |words: Vec<String>| words.first().and_then(|when| when.parse().ok()).unwrap_or_default();
        Ok(reply.expect("scheduled")?.map(|words| Scheduled {
            id: id.to_string(),
            next_at: quorate_store::Micros::from_millis(when(words)),
        }))
    }

    /// Takes a job out of the schedule.
    pub async fn cancel(&self, job: &JobId) -> Result<Outcome<()>> {
        let args = [Arg::from(job.as_key())];
        let reply: Reply =
            self.plane.store().repeatable().run(&script::CANCEL, &self.places(job), &args).await?;
        Ok(reply.expect("cancelled")?.map(drop))
    }

    /// Runs a job once more now; gives the id of the occurrence.
    pub async fn run(&self, job: &JobId) -> Result<Outcome<String>> {
        let Some(kept) = self.show(job, 0).await? else {
            return Ok(Outcome::Refused(crate::Refusal::new("no_job", None)));
        };
        let queue = quorate_catalog::ids::QueueNameId::parse(&kept.queue)
            .map_err(|_| undecodable("a job's queue"))?;
        let none: [&str; 0] = [];
        let args = [Arg::from(self.request()), Arg::from(job.as_key()), Arg::from(queue.as_key())];
        let reply: Reply = self.plane.store().run(&self.plane.job_scripts().trigger, &none, &args).await?;
        Ok(reply.expect("queued")?.map(|words| format!("{job}.{}", words.first().map_or("", String::as_str))))
    }

    /// Lets a worker run an occurrence; until it says how it ended, or the time is over, no other is let in.
    pub async fn begin(
        &self,
        job: &JobId,
        planned_ms: u64,
        worker: &AgentId,
        timeout: Duration,
    ) -> Result<Outcome<()>> {
        let args = [
            Arg::from(planned_ms),
            Arg::from(worker.as_key()),
            Arg::from(crate::locks::millis(timeout).max(1)),
        ];
        let reply: Reply =
            self.plane.store().repeatable().run(&script::BEGIN, &self.run_keys(job), &args).await?;
        Ok(reply.expect("started")?.map(drop))
    }

    /// Says how an occurrence ended.
    pub async fn finish(
        &self,
        job: &JobId,
        planned_ms: u64,
        worker: &AgentId,
        failure: Option<&str>,
    ) -> Result<Outcome<()>> {
        let args = [
            Arg::from(planned_ms),
            Arg::from(worker.as_key()),
            Arg::from(if failure.is_some() { "failed" } else { "done" }),
            Arg::from(failure.unwrap_or_default()),
        ];
        let reply: Reply =
            self.plane.store().repeatable().run(&script::FINISH, &self.run_keys(job), &args).await?;
        Ok(reply.expect("finished")?.map(drop))
    }

    /// One job with its last occurrences.
    pub async fn show(&self, job: &JobId, runs: usize) -> Result<Option<Job>> {
        let keys = self.plane.keys().quorate();
        let mut pipeline = redis::pipe();
        pipeline.cmd("HGETALL").arg(keys.job(job).as_str());
        pipeline.cmd("HGETALL").arg(keys.job_runs(job).as_str());
        let (record, kept): (HashMap<String, String>, HashMap<String, String>) =
            self.plane.store().pipeline(&pipeline).await?;
        let Some(mut found) = read(job, &record) else { return Ok(None) };
        found.runs = kept.iter().filter_map(|(planned, text)| Run::read(job, planned, text)).collect();
        found.runs.sort_by(|a, b| b.planned_at.cmp(&a.planned_at));
        found.runs.truncate(runs);
        Ok(Some(found))
    }

    /// The jobs that other clients put into the schedule: when, and as they wrote them.
    pub async fn foreign(&self, limit: usize) -> Result<Vec<(f64, String)>> {
        let mut range = cmd("ZRANGE");
        range
            .arg(self.plane.keys().ade().scheduled_jobs().as_str())
            .arg(0)
            .arg(limit.saturating_sub(1))
            .arg("WITHSCORES");
        let found: Vec<(Vec<u8>, f64)> = self.plane.store().query(&range).await?;
        let foreign = found.into_iter().filter(|(member, _)| ticking::job_of(member).is_none());
        Ok(foreign.map(|(member, at)| (at, String::from_utf8_lossy(&member).into_owned())).collect())
    }

    fn places(&self, job: &JobId) -> [quorate_catalog::Key; 3] {
        places(self.plane.keys(), job)
    }

    fn run_keys(&self, job: &JobId) -> [quorate_catalog::Key; 2] {
        [self.plane.keys().quorate().job_runs(job), self.plane.keys().ade().job_lock(job)]
    }
}

/// Where a job is: in the schedule, by itself, among those that have ended.
fn places(keys: &quorate_catalog::Keys, job: &JobId) -> [quorate_catalog::Key; 3] {
    [keys.ade().scheduled_jobs(), keys.quorate().job(job), keys.quorate().ended_jobs()]
}

fn fields(plan: &Plan, payload: String) -> Vec<(&'static str, String)> {
    let mut fields = vec![
        ("queue", plan.queue.to_string()),
        ("payload", payload),
        ("overlap", plan.overlap.as_str().to_owned()),
        ("catch_up", plan.catch_up.as_str().to_owned()),
    ];
    if let When::Recurring(recurrence) = &plan.when {
        fields.push(("cron", recurrence.pattern().to_owned()));
        fields.push(("zone", recurrence.zone().to_owned()));
    }
    fields
}

fn read(job: &JobId, record: &HashMap<String, String>) -> Option<Job> {
    let field = |name: &str| record.get(name).cloned();
    let state = field("state")?;
    let next = field("next_at").and_then(|at| at.parse().ok()).filter(|_| state == "active");
    Some(Job {
        id: job.to_string(),
        queue: field("queue")?,
        next_at: next.map(|at| quorate_store::Micros::from_millis(at).iso()),
        state,
        cron: field("cron"),
        zone: field("zone"),
        overlap: field("overlap").unwrap_or_default(),
        catch_up: field("catch_up").unwrap_or_default(),
        payload: field("payload").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
        occurrences: field("n").and_then(|n| n.parse().ok()).unwrap_or(0),
        runs: vec![],
    })
}

fn invalid(why: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, "jobs", why)
}
