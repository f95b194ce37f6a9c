//! `jobs run`.

use quorate_catalog::ids::JobId;

use crate::prelude::*;

/// Runs a job once more now.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Run {
    /// The job.
    pub job: Said<JobId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Queued {
    /// `queued`.
    pub outcome: &'static str,
    /// Of the occurrence.
    pub id: String,
}

impl Verb for Run {
    const ABOUT: About =
        About::new("jobs", "run", Method::Post, "/jobs/{job}/run", Level::Operate, Effect::Change)
            .also(&[("id", "job")])
            .later();
    type Answer = Queued;

    fn example() -> Value {
        json!({ "job": "weekly-report" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Queued>, Fault> {
        let outcome = call.plane.jobs().asked(call.request.as_deref()).run(&self.job).await?;
        Ok(Verdict::from(outcome).map(|id| Queued { outcome: "queued", id }))
    }
}
