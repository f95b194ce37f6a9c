//! `tasks history`.

use quorate_catalog::ids::TaskId;
use quorate_plane::tasks;

use crate::prelude::*;

/// Lists the last status events of a task, newest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct History {
    /// The task.
    pub task_id: Said<TaskId>,
    /// Most events; 50 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
}

impl Verb for History {
    const ABOUT: About =
        About::new("tasks", "history", Method::Get, "/tasks/{task_id}/history", Level::Read, Effect::None);
    type Answer = tasks::History;

    fn example() -> Value {
        json!({ "task_id": "task-123", "limit": 10 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<tasks::History>, Fault> {
        let limit = self.limit.map_or(50, Within::count);
        let found = call.plane.tasks().history(&self.task_id, limit).await?;
        let none = found.events.is_empty() && found.unreadable == 0;
        Ok(if none { super::nobody(&self.task_id) } else { Verdict::Done(found) })
    }
}
