//! `services delete`.

use quorate_catalog::ids::ServiceId;

use crate::prelude::*;

/// Deletes a service with its health, its cursor and its events.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Delete {
    /// The service.
    pub service_id: Said<ServiceId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Deleted {
    /// `deleted`.
    pub outcome: &'static str,
    pub service_id: String,
    /// How many of its events are still to be cleared away, which goes on by itself.
    pub left: u64,
}

impl Verb for Delete {
    const ABOUT: About = About::new(
        "services",
        "delete",
        Method::Delete,
        "/services/{service_id}",
        Level::Operate,
        Effect::Destroys,
    )
    .also(&[("id", "service_id")]);
    type Answer = Deleted;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Deleted>, Fault> {
        let services = call.plane.services().asked(call.request.as_deref());
        let outcome = services.delete(&self.service_id).await?;
        Ok(Verdict::from(outcome).map(|gone| Deleted {
            outcome: "deleted",
            service_id: gone.service_id,
            left: gone.left,
        }))
    }
}
