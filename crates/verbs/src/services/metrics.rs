//! `services metrics`, `services pods`.

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_plane::services::{self, Group, MetricsQuery};

use crate::prelude::*;
use crate::said::moment_of;

/// Shows what is measured of a service, as the Prometheus that its record names has it: of the last hour, or while a task ran.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Metrics {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// While this task ran, as far as its service says so.
    #[serde(default)]
    pub task_id: Option<Said<TaskId>>,
    /// From this moment on, in ISO 8601; without a zone it is UTC.
    #[serde(default)]
    pub from: Option<String>,
    /// Until this moment.
    #[serde(default)]
    pub to: Option<String>,
    /// Seconds between two points; as its record has it if it is not said.
    #[serde(default)]
    pub step: Option<Within<5, 3600>>,
    /// What is measured; everything if it is not said.
    #[serde(default)]
    pub group: Vec<Group>,
}

impl Verb for Metrics {
    const ABOUT: About = About::new(
        "services",
        "metrics",
        Method::Get,
        "/services/{service_id}/metrics",
        Level::Read,
        Effect::None,
    )
    .also(&[("id", "service_id")]);
    type Answer = services::Metrics;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "group": ["cpu_usage", "tasks_failed_rate"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<services::Metrics>, Fault> {
        let query = MetricsQuery {
            task: self.task_id.as_ref().map(|task| task.0.clone()),
            from: moment_of("from", self.from.as_deref())?,
            to: moment_of("to", self.to.as_deref())?,
            step: self.step.map(|step| step.0),
            groups: self.group.clone(),
        };
        Ok(call.plane.services().metrics(&self.service_id, &query).await?.into())
    }
}

/// Lists the pods in which a service runs, as the Prometheus that its record names knows them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Pods {
    /// The service.
    pub service_id: Said<ServiceId>,
}

impl Verb for Pods {
    const ABOUT: About =
        About::new("services", "pods", Method::Get, "/services/{service_id}/pods", Level::Read, Effect::None)
            .also(&[("id", "service_id")]);
    type Answer = services::Pods;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<services::Pods>, Fault> {
        Ok(call.plane.services().pods(&self.service_id).await?.into())
    }
}
