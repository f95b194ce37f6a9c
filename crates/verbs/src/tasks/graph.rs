//! `tasks graph`.

use quorate_catalog::ids::TaskId;
use quorate_plane::tasks;

use crate::prelude::*;

/// Shows what caused what: the attempts, retries, stages, children and ends of a task as a graph.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Graph {
    /// The task.
    pub task_id: Said<TaskId>,
    /// Add the graph as Mermaid.
    #[serde(default)]
    pub mermaid: bool,
}

/// A graph, and the same as a text if that was asked for.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Drawn {
    #[serde(flatten)]
    pub graph: tasks::Graph,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mermaid: Option<String>,
}

impl Verb for Graph {
    const ABOUT: About =
        About::new("tasks", "graph", Method::Get, "/tasks/{task_id}/graph", Level::Read, Effect::None);
    type Answer = Drawn;

    fn example() -> Value {
        json!({ "task_id": "task-123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Drawn>, Fault> {
        let found = call.plane.tasks().graph(&self.task_id).await?;
        let drawn = |graph: tasks::Graph| Drawn { mermaid: self.mermaid.then(|| graph.mermaid()), graph };
        Ok(found.map_or_else(|| super::nobody(&self.task_id), |graph| Verdict::Done(drawn(graph))))
    }
}
