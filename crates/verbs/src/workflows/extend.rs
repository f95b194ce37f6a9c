//! `workflows extend`.

use quorate_catalog::ids::{StageId, TaskId};
use quorate_plane::workflows::Attempt;

use crate::prelude::*;

/// Keeps an attempt alive, though never beyond the stage's timeout.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Extend {
    /// The task whose run it is.
    pub task: Said<TaskId>,
    /// The stage.
    pub stage: Said<StageId>,
    /// The attempt, as entering gave it.
    pub attempt: Said<Attempt>,
    /// How long from now; as when it was entered, if it is not said.
    #[serde(default)]
    pub lease: Option<Ttl>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Extended {
    /// `extended`.
    pub outcome: &'static str,
    pub attempt: String,
    /// When its lease ends, in ISO 8601.
    pub until: String,
}

impl Verb for Extend {
    const ABOUT: About = About::new(
        "workflows",
        "extend",
        Method::Post,
        "/workflows/runs/{task}/stages/{stage}/extend",
        Level::Work,
        Effect::Hot,
    );
    type Answer = Extended;

    fn example() -> Value {
        json!({ "task": "order-17", "stage": "collect", "lease": "2m",
            "attempt": "3.9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Extended>, Fault> {
        let lease = self.lease.map(|lease| lease.0);
        let outcome = call.plane.workflows().extend(&self.task, &self.stage, &self.attempt, lease).await?;
        Ok(Verdict::from(outcome).map(|until| Extended {
            outcome: "extended",
            attempt: self.attempt.to_string(),
            until: until.iso(),
        }))
    }
}
