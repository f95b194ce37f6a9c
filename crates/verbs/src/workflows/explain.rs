//! `workflows explain`.

use quorate_catalog::ids::TaskId;
use quorate_plane::workflows::Explanation;

use super::no_run;
use crate::prelude::*;

/// Says what a run waits for: which edge is missing, who looks after it, and since when.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Explain {
    /// The task whose run it is.
    pub task: Said<TaskId>,
}

impl Verb for Explain {
    const ABOUT: About = About::new(
        "workflows",
        "explain",
        Method::Get,
        "/workflows/runs/{task}/explain",
        Level::Read,
        Effect::None,
    )
    .also(&[("id", "task")]);
    type Answer = Explanation;

    fn example() -> Value {
        json!({ "task": "order-17" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Explanation>, Fault> {
        let found = call.plane.workflows().explain(&self.task).await?;
        Ok(found.map_or_else(|| Verdict::Refused(no_run(self.task.as_key())), Verdict::Done))
    }
}
