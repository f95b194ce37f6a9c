//! `workflows arrive`.

use quorate_catalog::ids::{StageId, TaskId};
use quorate_plane::workflows;

use super::text;
use crate::prelude::*;
use crate::said::Json;

/// Brings a branch to the stage that joins it with others; the one that meets the rule lets the stage go.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Arrive {
    /// The task whose run it is.
    pub task: Said<TaskId>,
    /// The stage that joins.
    pub stage: Said<StageId>,
    /// The branch.
    pub branch: Said<StageId>,
    /// What it brings, in JSON.
    #[serde(default)]
    pub result: Option<Json>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Arrived {
    /// `fired` for the branch that let the stage go, else `waiting`, `late`, `duplicate`, or `impossible` if the rule can no longer
    /// be met.
    pub outcome: String,
    /// `running`, or how the run has ended.
    pub state: String,
    /// How many branches have come.
    pub arrived: u64,
    /// How many are awaited, once that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
}

impl From<workflows::Arrived> for Arrived {
    fn from(own: workflows::Arrived) -> Self {
        Self { outcome: own.outcome, state: own.state, arrived: own.arrived, expected: own.expected }
    }
}

impl Verb for Arrive {
    const ABOUT: About = About::new(
        "workflows",
        "arrive",
        Method::Post,
        "/workflows/runs/{task}/stages/{stage}/arrive",
        Level::Work,
        Effect::Hot,
    );
    type Answer = Arrived;

    fn example() -> Value {
        json!({ "task": "order-17", "stage": "merge", "branch": "price", "result": { "total": 12.5 } })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Arrived>, Fault> {
        let own = call.plane.workflows().asked(call.request.as_deref());
        let result = text(self.result.as_ref());
        let outcome = own.arrive(&self.task, &self.stage, &self.branch, result).await?;
        Ok(Verdict::from(outcome).map(Arrived::from))
    }
}
