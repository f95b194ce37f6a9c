//! `workflows expect`.

use quorate_catalog::ids::{StageId, TaskId};

use super::Arrived;
use crate::prelude::*;

/// Says which branches a join waits for in this run, where the topology does not; branches that came before count.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Expect {
    /// The task whose run it is.
    pub task: Said<TaskId>,
    /// The stage that joins.
    pub stage: Said<StageId>,
    /// The branches; up to 1,000.
    pub branches: Vec<Said<StageId>>,
}

impl Verb for Expect {
    const ABOUT: About = About::new(
        "workflows",
        "expect",
        Method::Post,
        "/workflows/runs/{task}/stages/{stage}/expect",
        Level::Work,
        Effect::Hot,
    );
    type Answer = Arrived;

    fn example() -> Value {
        json!({ "task": "order-17", "stage": "merge", "branches": ["part-1", "part-2"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Arrived>, Fault> {
        let branches: Vec<StageId> = self.branches.iter().map(|branch| branch.0.clone()).collect();
        let outcome = call.plane.workflows().expect(&self.task, &self.stage, &branches).await?;
        Ok(Verdict::from(outcome).map(Arrived::from))
    }
}
