//! `services events`, `services pull`.

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_plane::services::{EventFilter, EventPage, Pulled, Source};

use crate::prelude::*;

/// Lists the events of a service, the last that came first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Events {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// Only those of this task.
    #[serde(default)]
    pub task_id: Option<Said<TaskId>>,
    /// Only those that come from here: status or observation.
    #[serde(default)]
    pub source_kind: Option<Source>,
    /// Only those of this type.
    #[serde(default)]
    pub event_type: Option<String>,
    /// Where the last page ended.
    #[serde(default)]
    pub before: Option<String>,
    /// Most to list; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 500>>,
}

impl Verb for Events {
    const ABOUT: About = About::new(
        "services",
        "events",
        Method::Get,
        "/services/{service_id}/events",
        Level::Read,
        Effect::None,
    )
    .also(&[("id", "service_id")]);
    type Answer = EventPage;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "source_kind": "status", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<EventPage>, Fault> {
        let filter = EventFilter {
            task: self.task_id.as_ref().map(|task| task.0.clone()),
            source: self.source_kind,
            event_type: self.event_type.clone(),
        };
        let limit = self.limit.map_or(100, Within::count);
        let services = call.plane.services();
        Ok(services.events(&self.service_id, &filter, self.before.as_deref(), limit).await?.into())
    }
}

/// Reads the feed of a service now.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Pull {
    /// The service.
    pub service_id: Said<ServiceId>,
}

impl Verb for Pull {
    const ABOUT: About = About::new(
        "services",
        "pull",
        Method::Post,
        "/services/{service_id}/pull",
        Level::Operate,
        Effect::Hot,
    )
    .also(&[("id", "service_id")]);
    type Answer = Pulled;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Pulled>, Fault> {
        Ok(call.plane.services().pull(&self.service_id).await?.into())
    }
}
