//! `services health`, `services check`, `services refresh`.

use quorate_catalog::ids::ServiceId;
use quorate_plane::services::{self, Service};

use crate::prelude::*;

/// Says how a service fares, judged now by what was last seen of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Health {
    /// The service.
    pub service_id: Said<ServiceId>,
}

impl Verb for Health {
    const ABOUT: About = About::new(
        "services",
        "health",
        Method::Get,
        "/services/{service_id}/health",
        Level::Read,
        Effect::None,
    )
    .also(&[("id", "service_id")]);
    type Answer = services::Health;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<services::Health>, Fault> {
        Ok(call.plane.services().health(&self.service_id).await?.into())
    }
}

/// Looks at a service now, and says how it fares.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Check {
    /// The service.
    pub service_id: Said<ServiceId>,
}

impl Verb for Check {
    const ABOUT: About = About::new(
        "services",
        "check",
        Method::Post,
        "/services/{service_id}/health/refresh",
        Level::Operate,
        Effect::Hot,
    )
    .also(&[("id", "service_id")]);
    type Answer = services::Health;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<services::Health>, Fault> {
        Ok(call.plane.services().check(&self.service_id).await?.into())
    }
}

/// Asks a service what it can do; one that answers is healthy, unless it is disabled.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Refresh {
    /// The service.
    pub service_id: Said<ServiceId>,
}

impl Verb for Refresh {
    const ABOUT: About = About::new(
        "services",
        "refresh",
        Method::Post,
        "/services/{service_id}/refresh",
        Level::Operate,
        Effect::Hot,
    )
    .also(&[("id", "service_id")]);
    type Answer = Service;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Service>, Fault> {
        Ok(call.plane.services().refresh(&self.service_id).await?.into())
    }
}
