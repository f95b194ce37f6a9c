//! `jobs schedule`.

use std::str::FromStr;

use quorate_catalog::ids::{JobId, Priority, QueueNameId};
use quorate_plane::jobs::{self, Plan, Recurrence, When};

use crate::prelude::*;
use crate::said::Moment;

/// Schedules a job: once at a time or after a while, or again and again. Say one of `at`, `in` and `cron`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Schedule {
    /// The queue it is put into when it is due: job:NAME.
    pub queue: Said<JobQueue>,
    /// What is put there.
    pub payload: String,
    /// Its name; a random one, if it is not said.
    #[serde(default)]
    pub id: Option<Said<JobId>>,
    /// When, in ISO 8601 with a zone, such as 2026-12-01T08:00:00Z.
    #[serde(default)]
    pub at: Option<Moment>,
    /// After which time, such as 5m.
    #[serde(default, rename = "in")]
    pub after: Option<Span>,
    /// Again and again: five fields, or six with seconds first.
    #[serde(default)]
    pub cron: Option<String>,
    /// The time zone of the pattern, such as Europe/Berlin; UTC if it is not said.
    #[serde(default)]
    pub zone: Option<String>,
    /// When an earlier occurrence still runs; skip if it is not said.
    #[serde(default)]
    pub overlap: Overlap,
    /// After a time when nobody was there; one if it is not said.
    #[serde(default)]
    pub catch_up: CatchUp,
}

/// `job:NAME`, as the queues say it, or the name alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobQueue(pub QueueNameId);

impl FromStr for JobQueue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Whoever says the name of a task queue means that one, and no job queue of the same name.
        if Priority::parse(text).is_ok() {
            return Err(format!("jobs go to job queues: use job:NAME, or job:{text} if that is its name"));
        }
        let name = QueueNameId::parse(text.strip_prefix("job:").unwrap_or(text));
        name.map(Self).map_err(|error| error.to_string())
    }
}

/// What happens when a job is due while an earlier occurrence of it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Overlap {
    /// It is left out, and its occurrence says so.
    #[default]
    Skip,
    /// It waits until the earlier one has ended.
    QueueOne,
    /// It runs beside the earlier one.
    Allow,
}

/// What happens to the occurrences of a time when nobody was there to queue them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CatchUp {
    /// One of them runs, late.
    #[default]
    One,
    /// Each of them runs.
    All,
    /// None runs that is more than five seconds late.
    None,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Scheduled {
    /// `scheduled`.
    pub outcome: &'static str,
    pub id: String,
    /// When it is due, in ISO 8601.
    pub next_at: String,
}

impl From<Overlap> for jobs::Overlap {
    fn from(overlap: Overlap) -> Self {
        match overlap {
            Overlap::Skip => Self::Skip,
            Overlap::QueueOne => Self::QueueOne,
            Overlap::Allow => Self::Allow,
        }
    }
}

impl From<CatchUp> for jobs::CatchUp {
    fn from(catch_up: CatchUp) -> Self {
        match catch_up {
            CatchUp::One => Self::One,
            CatchUp::All => Self::All,
            CatchUp::None => Self::None,
        }
    }
}

impl Schedule {
    fn plan(&self) -> Result<Plan, Fault> {
        let when = match (self.at, self.after, &self.cron) {
            (Some(at), None, None) => When::At(at.0),
            (None, Some(after), None) => When::In(after.0),
            (None, None, Some(cron)) => {
                let zone = self.zone.as_deref().unwrap_or("UTC");
                let recurrence = Recurrence::parse(cron, zone).map_err(|why| Fault::bad("cron", why))?;
                When::Recurring(Box::new(recurrence))
            }
            _ => return Err(Fault::bad("at", "say when, and once: `at`, `in` or `cron`")),
        };
        if self.zone.is_some() && self.cron.is_none() {
            return Err(Fault::bad("zone", "it goes with `cron`"));
        }
        Ok(Plan {
            id: self.id.as_ref().map(|id| id.0.clone()),
            overlap: self.overlap.into(),
            catch_up: self.catch_up.into(),
            ..Plan::new(self.queue.0.0.clone(), self.payload.clone(), when)
        })
    }
}

impl Verb for Schedule {
    const ABOUT: About = About::new("jobs", "schedule", Method::Post, "/jobs", Level::Work, Effect::Change)
        .of(&["id"])
        .also(&[("job", "id")]);
    type Answer = Scheduled;

    fn example() -> Value {
        json!({ "queue": "job:reports", "payload": "weekly", "id": "weekly-report", "cron": "0 8 * * MON",
            "zone": "Europe/Berlin" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Scheduled>, Fault> {
        let plan = self.plan()?;
        let outcome = call.plane.jobs().asked(call.request.as_deref()).schedule(&plan).await?;
        Ok(Verdict::from(outcome).map(|done| Scheduled {
            outcome: "scheduled",
            id: done.id,
            next_at: done.next_at.iso(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_task_queue_is_no_job_queue() {
        for name in ["high", "normal", "low"] {
            let why = name.parse::<JobQueue>().unwrap_err();
            assert!(why.contains(&format!("job:{name}")), "{why}");
        }
        assert_eq!("job:normal".parse::<JobQueue>().unwrap().0.to_string(), "normal");
        assert_eq!("reports".parse::<JobQueue>().unwrap().0.to_string(), "reports");
    }
}
