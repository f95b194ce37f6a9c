//! `jobs ls`.

use quorate_plane::jobs::Job;

use crate::prelude::*;

/// Lists the jobs, by name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

impl Verb for Ls {
    const ABOUT: About = About::new("jobs", "ls", Method::Get, "/jobs", Level::Read, Effect::None);
    type Answer = Vec<Job>;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Job>>, Fault> {
        Ok(Verdict::Done(call.plane.jobs().ls().await?))
    }
}
