//! `workflows start`.

use quorate_catalog::ids::{TaskId, WorkflowId};
use quorate_plane::workflows;

use super::text;
use crate::prelude::*;
use crate::said::Json;

/// Begins the run of a workflow for a task; its entry stages are ready.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Start {
    /// The workflow; its current version.
    pub workflow: Said<WorkflowId>,
    /// The task whose run it is; it has one.
    pub task: Said<TaskId>,
    /// What it is about: JSON that the entry stages get.
    #[serde(default)]
    pub payload: Option<Json>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Started {
    /// `started`.
    pub outcome: &'static str,
    pub task: String,
    pub workflow: String,
    pub version: u64,
}

impl Verb for Start {
    const ABOUT: About = About::new(
        "workflows",
        "start",
        Method::Post,
        "/workflows/{workflow}/runs",
        Level::Work,
        Effect::Hot,
    )
    .also(&[("id", "task")]);
    type Answer = Started;

    fn example() -> Value {
        json!({ "workflow": "billing", "task": "order-17", "payload": { "customer": 9 } })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Started>, Fault> {
        let start = workflows::Start {
            workflow: self.workflow.0.clone(),
            task: self.task.0.clone(),
            payload: text(self.payload.as_ref()).to_owned(),
            who: call.name(),
        };
        let outcome = call.plane.workflows().asked(call.request.as_deref()).start(&start).await?;
        Ok(Verdict::from(outcome).map(|version| Started {
            outcome: "started",
            task: self.task.to_string(),
            workflow: self.workflow.to_string(),
            version,
        }))
    }
}
