//! `tasks observations`.

use quorate_catalog::ids::TaskId;
use quorate_plane::tasks::History;

use crate::prelude::*;

/// Lists what was seen to happen to a task, newest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Observations {
    /// The task.
    pub task_id: Said<TaskId>,
    /// Most observations; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
}

impl Verb for Observations {
    const ABOUT: About = About::new(
        "tasks",
        "observations",
        Method::Get,
        "/tasks/{task_id}/observations",
        Level::Read,
        Effect::None,
    );
    type Answer = History;

    fn example() -> Value {
        json!({ "task_id": "task-123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<History>, Fault> {
        let limit = self.limit.map_or(100, Within::count);
        Ok(Verdict::Done(call.plane.tasks().observations(&self.task_id, limit).await?))
    }
}
