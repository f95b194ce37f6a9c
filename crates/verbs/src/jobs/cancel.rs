//! `jobs cancel`.

use quorate_catalog::ids::JobId;

use crate::prelude::*;

/// Takes a job out of the schedule.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Cancel {
    /// The job.
    pub job: Said<JobId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Cancelled {
    /// `cancelled`.
    pub outcome: &'static str,
    pub id: String,
}

impl Verb for Cancel {
    const ABOUT: About =
        About::new("jobs", "cancel", Method::Delete, "/jobs/{job}", Level::Operate, Effect::Destroys)
            .also(&[("id", "job")]);
    type Answer = Cancelled;

    fn example() -> Value {
        json!({ "job": "weekly-report" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Cancelled>, Fault> {
        let outcome = call.plane.jobs().cancel(&self.job).await?;
        Ok(Verdict::from(outcome).map(|()| Cancelled { outcome: "cancelled", id: self.job.to_string() }))
    }
}
