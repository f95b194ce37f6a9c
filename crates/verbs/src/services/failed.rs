//! `services failure`, `services review`, `services retry`, `services discard`: one failed task of a service.

use quorate_catalog::ids::{DeadLetterId, ServiceId};
use quorate_plane::services::Act;
use serde_json::Map;

use crate::prelude::*;
use crate::said::Json;

async fn act(
    call: &Call,
    service: &ServiceId,
    failure: &DeadLetterId,
    act: Act,
) -> Result<Verdict<Value>, Fault> {
    Ok(call.plane.services().failure(service, failure, &act).await?.into())
}

/// Shows one failed task of a service, as the service has it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Failure {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// The failed task.
    pub failure_id: Said<DeadLetterId>,
}

impl Verb for Failure {
    const ABOUT: About = About::new(
        "services",
        "failure",
        Method::Get,
        "/services/{service_id}/failed/{failure_id}",
        Level::Read,
        Effect::None,
    )
    .also(&[("id", "service_id")]);
    type Answer = Value;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "failure_id": "8c1f0e2ab4" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Value>, Fault> {
        act(call, &self.service_id, &self.failure_id, Act::Show).await
    }
}

/// Marks a failed task of a service as looked into, or takes that mark away.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Review {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// The failed task.
    pub failure_id: Said<DeadLetterId>,
    /// False takes the mark away; true if it is not said.
    #[serde(default)]
    pub investigated: Option<bool>,
    /// What was found out.
    #[serde(default)]
    pub note: Option<String>,
}

impl Verb for Review {
    const ABOUT: About = About::new(
        "services",
        "review",
        Method::Post,
        "/services/{service_id}/failed/{failure_id}/review",
        Level::Operate,
        Effect::Change,
    )
    .also(&[("id", "service_id")]);
    type Answer = Value;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "failure_id": "8c1f0e2ab4", "note": "the disk was full" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Value>, Fault> {
        let what = match self.investigated {
            Some(false) => Act::Uninvestigated,
            _ => Act::Investigated { by: call.name(), note: self.note.clone() },
        };
        act(call, &self.service_id, &self.failure_id, what).await
    }
}

/// Has a service retry a failed task, once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Retry {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// The failed task.
    pub failure_id: Said<DeadLetterId>,
    /// Another queue than the one it came from.
    #[serde(default)]
    pub target_queue: Option<String>,
    /// Another body in the place of its own, in JSON.
    #[serde(default)]
    pub override_payload: Option<Json>,
    /// What there is to say about it.
    #[serde(default)]
    pub note: Option<String>,
    /// Also if it was retried before, or nobody knows whether it was.
    #[serde(default)]
    pub force: bool,
}

impl Verb for Retry {
    const ABOUT: About = About::new(
        "services",
        "retry",
        Method::Post,
        "/services/{service_id}/failed/{failure_id}/retry",
        Level::Operate,
        Effect::Change,
    )
    .also(&[("id", "service_id")]);
    type Answer = Value;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "failure_id": "8c1f0e2ab4", "note": "the disk has room again" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Value>, Fault> {
        let mut how = Map::new();
        how.insert("retried_by".to_owned(), call.name().into());
        let texts = [("target_queue", &self.target_queue), ("note", &self.note)];
        how.extend(
            texts.iter().filter_map(|(name, text)| Some(((*name).to_owned(), text.as_ref()?.clone().into()))),
        );
        if let Some(body) = &self.override_payload {
            let body = serde_json::from_str(&body.0)
                .map_err(|why| Fault::bad("override_payload", why.to_string()))?;
            how.insert("override_payload".to_owned(), body);
        }
        act(call, &self.service_id, &self.failure_id, Act::Retry { how, force: self.force }).await
    }
}

/// Deletes a failed task of a service, there.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Discard {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// The failed task.
    pub failure_id: Said<DeadLetterId>,
}

impl Verb for Discard {
    const ABOUT: About = About::new(
        "services",
        "discard",
        Method::Delete,
        "/services/{service_id}/failed/{failure_id}",
        Level::Operate,
        Effect::Destroys,
    )
    .also(&[("id", "service_id")]);
    type Answer = Value;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "failure_id": "8c1f0e2ab4" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Value>, Fault> {
        act(call, &self.service_id, &self.failure_id, Act::Delete).await
    }
}
