//! `services ls`, `services show`.

use quorate_catalog::ids::{EnvironmentId, ServiceId};
use quorate_plane::Outcome;
use quorate_plane::services::{Fare, Health, Reading, Service};

use crate::prelude::*;

/// Lists the services, of one environment or of all, and how each fares.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// Only those of this environment.
    #[serde(default)]
    pub environment: Option<Said<EnvironmentId>>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("services", "ls", Method::Get, "/services", Level::Read, Effect::None);
    type Answer = Vec<Fare>;

    fn example() -> Value {
        json!({ "environment": "production" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Fare>>, Fault> {
        let environment = self.environment.as_ref().map(|own| &own.0);
        Ok(Verdict::Done(call.plane.services().fares(environment).await?))
    }
}

/// Shows a service, how it fares and how reading its feed goes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// The service.
    pub service_id: Said<ServiceId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Shown {
    #[serde(flatten)]
    pub service: Service,
    pub health: Health,
    /// How reading its feed goes.
    pub feed: Reading,
}

impl Verb for Show {
    const ABOUT: About =
        About::new("services", "show", Method::Get, "/services/{service_id}", Level::Read, Effect::None)
            .also(&[("id", "service_id")]);
    type Answer = Shown;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(keys.relayna().service(&self.service_id), &[]))
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Shown>, Fault> {
        let services = call.plane.services();
        let service = match services.show(&self.service_id).await? {
            Outcome::Done(service) => service,
            Outcome::Refused(why) => return Ok(Verdict::Refused(why.into())),
        };
        let feed = services.reading(&self.service_id).await?;
        let health = services.health(&self.service_id).await?;
        Ok(Verdict::from(health).map(|health| Shown { service, health, feed }))
    }
}
