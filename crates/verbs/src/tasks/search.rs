//! `tasks search`.

use quorate_plane::search::{TaskPage, TaskQuery};

use crate::prelude::*;
use crate::said::moment_of;

/// Finds tasks of all services by what is known of them, the last seen first. All that is given must hold, and something
/// must be given.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Search {
    /// Of this service.
    #[serde(default)]
    pub service_id: Option<String>,
    /// With this id, in whatever service.
    #[serde(default)]
    pub task_id: Option<String>,
    /// That belong to this.
    #[serde(default)]
    pub correlation_id: Option<String>,
    /// Whose newest event says this status.
    #[serde(default)]
    pub status: Option<String>,
    /// Whose newest event says this stage.
    #[serde(default)]
    pub stage: Option<String>,
    /// Of services of this environment.
    #[serde(default)]
    pub environment: Option<String>,
    /// Last seen then or later, in ISO 8601; without a zone it is UTC.
    #[serde(default)]
    pub from: Option<String>,
    /// Last seen then or earlier.
    #[serde(default)]
    pub to: Option<String>,
    /// Where to go on: `next_cursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Most tasks of a page; 50 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 200>>,
}

impl Verb for Search {
    const ABOUT: About =
        About::new("tasks", "search", Method::Get, "/search/tasks", Level::Read, Effect::None);
    type Answer = TaskPage;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "status": "failed", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<TaskPage>, Fault> {
        let query = TaskQuery {
            service_id: self.service_id.clone(),
            task_id: self.task_id.clone(),
            correlation_id: self.correlation_id.clone(),
            status: self.status.clone(),
            stage: self.stage.clone(),
            environment: self.environment.clone(),
            from: moment_of("from", self.from.as_deref())?,
            to: moment_of("to", self.to.as_deref())?,
            cursor: self.cursor.clone(),
            limit: self.limit.map_or(50, Within::count),
        };
        Ok(call.plane.search().tasks(&query).await?.into())
    }
}
