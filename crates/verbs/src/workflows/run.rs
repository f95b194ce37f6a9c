//! `workflows run`.

use quorate_catalog::ids::TaskId;
use quorate_plane::workflows;

use super::no_run;
use crate::prelude::*;

/// Shows the run of a task: its stages, the attempts under way, and what has come to its joins.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Run {
    /// The task.
    pub task: Said<TaskId>,
}

impl Verb for Run {
    const ABOUT: About =
        About::new("workflows", "run", Method::Get, "/workflows/runs/{task}", Level::Read, Effect::None)
            .also(&[("id", "task")]);
    type Answer = workflows::Run;

    fn example() -> Value {
        json!({ "task": "order-17" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<workflows::Run>, Fault> {
        let found = call.plane.workflows().run(&self.task).await?;
        Ok(found.map_or_else(|| Verdict::Refused(no_run(self.task.as_key())), Verdict::Done))
    }
}
