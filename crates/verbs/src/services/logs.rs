//! `services logs`.

use quorate_catalog::ids::ServiceId;
use quorate_plane::services::{Before, LogPage, LogQuery, Nanos};

use crate::prelude::*;

/// Shows what a service has logged, the last line first, as the Loki that its record names has it. All that is given must hold.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Logs {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// Only lines of this task.
    #[serde(default)]
    pub task_id: Option<String>,
    /// Only lines that belong to this.
    #[serde(default)]
    pub correlation_id: Option<String>,
    /// Only lines of this level, where `log_config` names its label.
    #[serde(default)]
    pub level: Option<String>,
    /// Only lines of this source, where `log_config` names its label.
    #[serde(default)]
    pub source: Option<String>,
    /// Only lines of this pod.
    #[serde(default)]
    pub pod: Option<String>,
    /// Only lines that have this text.
    #[serde(default)]
    pub query: Option<String>,
    /// Where to go on: `next_cursor` of the page before, or a moment.
    #[serde(default)]
    pub before: Option<Said<Before>>,
    /// From this moment on, in ISO 8601 or in nanoseconds since 1970.
    #[serde(default)]
    pub from: Option<Said<Nanos>>,
    /// Before this moment.
    #[serde(default)]
    pub to: Option<Said<Nanos>>,
    /// Most lines of a page; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 200>>,
}

impl Verb for Logs {
    const ABOUT: About =
        About::new("services", "logs", Method::Get, "/services/{service_id}/logs", Level::Read, Effect::None)
            .also(&[("id", "service_id")]);
    type Answer = LogPage;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "task_id": "task-123", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<LogPage>, Fault> {
        let query = LogQuery {
            task_id: self.task_id.clone(),
            correlation_id: self.correlation_id.clone(),
            level: self.level.clone(),
            source: self.source.clone(),
            pod: self.pod.clone(),
            query: self.query.clone(),
            before: self.before.as_ref().map(|before| before.0),
            from: self.from.as_ref().map(|from| from.0),
            to: self.to.as_ref().map(|to| to.0),
            limit: self.limit.map_or(100, Within::count),
        };
        Ok(call.plane.services().logs(&self.service_id, &query).await?.into())
    }
}
