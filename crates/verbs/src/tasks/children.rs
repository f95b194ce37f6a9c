//! `tasks children`.

use quorate_catalog::ids::TaskId;
use quorate_plane::tasks;

use crate::prelude::*;

/// Lists the tasks that named this one as their parent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Children {
    /// The task.
    pub task_id: Said<TaskId>,
    /// Most children; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

impl Verb for Children {
    const ABOUT: About =
        About::new("tasks", "children", Method::Get, "/tasks/{task_id}/children", Level::Read, Effect::None);
    type Answer = tasks::Children;

    fn example() -> Value {
        json!({ "task_id": "task-123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<tasks::Children>, Fault> {
        let limit = self.limit.map_or(100, Within::count);
        Ok(Verdict::Done(call.plane.tasks().children(&self.task_id, limit).await?))
    }
}
