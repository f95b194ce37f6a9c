//! `workflows fail`.

use quorate_catalog::ids::{StageId, TaskId};
use quorate_plane::workflows::{self, Attempt};

use crate::prelude::*;

/// Ends an attempt that failed; the action is tried again as often as its stage allows, and then given up.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Fail {
    /// The task whose run it is.
    pub task: Said<TaskId>,
    /// The stage.
    pub stage: Said<StageId>,
    /// The attempt, as entering gave it.
    pub attempt: Said<Attempt>,
    /// Why it failed.
    #[serde(default)]
    pub error: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Failed {
    /// `retry`, or `failed` for good.
    pub outcome: &'static str,
    /// From when on it may be tried again, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<String>,
    /// `running`, or how the run has ended.
    pub state: String,
}

impl Verb for Fail {
    const ABOUT: About = About::new(
        "workflows",
        "fail",
        Method::Post,
        "/workflows/runs/{task}/stages/{stage}/fail",
        Level::Work,
        Effect::Hot,
    );
    type Answer = Failed;

    fn example() -> Value {
        json!({ "task": "order-17", "stage": "collect", "error": "no route to host",
            "attempt": "3.9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Failed>, Fault> {
        let own = call.plane.workflows();
        let outcome = own.fail(&self.task, &self.stage, &self.attempt, &self.error).await?;
        Ok(Verdict::from(outcome).map(|failed| match failed {
            workflows::Failed::Retry(at) => {
                Failed { outcome: "retry", retry_at: Some(at.iso()), state: "running".to_owned() }
            }
            workflows::Failed::ForGood(state) => Failed { outcome: "failed", retry_at: None, state },
        }))
    }
}
