//! `jobs show`.

use quorate_catalog::ids::JobId;
use quorate_plane::Refusal;
use quorate_plane::jobs::Job;

use crate::prelude::*;

/// Occurrences that are shown; no more are kept.
const RUNS: usize = 200;

/// Shows one job and its last occurrences.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// The job.
    pub job: Said<JobId>,
}

impl Verb for Show {
    const ABOUT: About = About::new("jobs", "show", Method::Get, "/jobs/{job}", Level::Read, Effect::None)
        .also(&[("id", "job")]);
    type Answer = Job;

    fn example() -> Value {
        json!({ "job": "weekly-report" })
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(
            keys.quorate().job(&self.job),
            &["queue", "payload", "state", "cron", "zone", "overlap", "catch_up"],
        ))
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Job>, Fault> {
        let found = call.plane.jobs().show(&self.job, RUNS).await?;
        let none = || Verdict::Refused(Refusal::new("no_job", None).into());
        Ok(found.map_or_else(none, Verdict::Done))
    }
}
