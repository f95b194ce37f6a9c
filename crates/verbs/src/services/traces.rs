//! `services traces`.

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_plane::services;

use crate::prelude::*;

/// Shows the traces that a task of a service left, as the Tempo that the service's record names has them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Traces {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// The task.
    pub task_id: Said<TaskId>,
}

impl Verb for Traces {
    const ABOUT: About = About::new(
        "services",
        "traces",
        Method::Get,
        "/services/{service_id}/tasks/{task_id}/traces",
        Level::Read,
        Effect::None,
    )
    .also(&[("id", "service_id")]);
    type Answer = services::Traces;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "task_id": "task-123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<services::Traces>, Fault> {
        Ok(call.plane.services().traces(&self.service_id, &self.task_id).await?.into())
    }
}
