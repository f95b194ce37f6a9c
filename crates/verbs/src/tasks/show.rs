//! `tasks show`.

use quorate_catalog::ids::TaskId;
use quorate_plane::tasks::Task;

use crate::prelude::*;

/// Shows what became of a task: the status that counts, its last event and its kin.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// The task.
    pub task_id: Said<TaskId>,
}

impl Verb for Show {
    const ABOUT: About =
        About::new("tasks", "show", Method::Get, "/tasks/{task_id}", Level::Read, Effect::None);
    type Answer = Task;

    fn example() -> Value {
        json!({ "task_id": "task-123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Task>, Fault> {
        let found = call.plane.tasks().show(&self.task_id).await?;
        Ok(found.map_or_else(|| super::nobody(&self.task_id), Verdict::Done))
    }
}
