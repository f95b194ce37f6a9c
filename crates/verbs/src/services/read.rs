//! `services ask`, `services task`, `services failed`: what services say of their own tasks.

use std::collections::BTreeMap;

use quorate_catalog::ids::{EnvironmentId, ServiceId, TaskId};
use quorate_plane::services::{Gathered, TaskDetail, What};

use crate::prelude::*;

/// Most further parameters of a question, and the longest one.
const MOST: usize = 16;
const LONGEST: usize = 512;

/// Asks a service for what it says of its own tasks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ask {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// What: status, history, graph, dead, broker_dead, topology, pressure or failed.
    pub what: What,
    /// Of which task, for what is about one.
    #[serde(default)]
    pub task_id: Option<Said<TaskId>>,
    /// What the service is asked beside that, as its own address has it.
    #[serde(default)]
    pub query: BTreeMap<String, String>,
}

impl Verb for Ask {
    const ABOUT: About =
        About::new("services", "ask", Method::Post, "/services/{service_id}/ask", Level::Read, Effect::None)
            .also(&[("id", "service_id")]);
    type Answer = Value;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "what": "status", "task_id": "task-123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Value>, Fault> {
        let query = pairs(&self.query)?;
        let task = self.task_id.as_ref().map(|task| &task.0);
        Ok(call.plane.services().ask(&self.service_id, self.what, task, &query).await?.into())
    }
}

fn pairs(query: &BTreeMap<String, String>) -> Result<Vec<(String, String)>, Fault> {
    if query.len() > MOST || query.iter().any(|(name, value)| name.len() + value.len() > LONGEST) {
        return Err(Fault::bad("query", format!("at most {MOST} parameters of {LONGEST} bytes each")));
    }
    Ok(query.iter().map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Gathers what a service knows of a task, and says what could not be had.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Task {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// The task.
    pub task_id: Said<TaskId>,
}

impl Verb for Task {
    const ABOUT: About = About::new(
        "services",
        "task",
        Method::Get,
        "/services/{service_id}/tasks/{task_id}",
        Level::Read,
        Effect::None,
    )
    .also(&[("id", "service_id")]);
    type Answer = TaskDetail;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "task_id": "task-123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<TaskDetail>, Fault> {
        Ok(call.plane.services().task(&self.service_id, &self.task_id).await?.into())
    }
}

/// Gathers the failed tasks of all services, and says who did not answer.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Failed {
    /// Only of this environment.
    #[serde(default)]
    pub environment: Option<Said<EnvironmentId>>,
    /// Only of this service.
    #[serde(default)]
    pub service_id: Option<Said<ServiceId>>,
    /// What the services are asked beside that, as their own address has it.
    #[serde(default)]
    pub query: BTreeMap<String, String>,
}

impl Verb for Failed {
    const ABOUT: About =
        About::new("services", "failed", Method::Post, "/services/failed", Level::Read, Effect::None);
    type Answer = Gathered;

    fn example() -> Value {
        json!({ "environment": "production" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Gathered>, Fault> {
        let query = pairs(&self.query)?;
        let (environment, only) =
            (self.environment.as_ref().map(|own| &own.0), self.service_id.as_ref().map(|own| &own.0));
        Ok(Verdict::Done(call.plane.services().failed(environment, only, &query).await?))
    }
}
