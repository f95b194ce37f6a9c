//! `services update`, `services disable`, `services enable`.

use quorate_catalog::ids::{EnvironmentId, ServiceId};
use quorate_plane::services::{Address, ByHand, Change, Service};

use crate::prelude::*;

/// Changes a service; what is not said stays, and its id always does.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Update {
    /// The service.
    pub service_id: Said<ServiceId>,
    /// Its name for people.
    #[serde(default)]
    pub name: Option<String>,
    /// Where it answers.
    #[serde(default)]
    pub base_url: Option<Said<Address>>,
    /// Where it runs.
    #[serde(default)]
    pub environment: Option<Said<EnvironmentId>>,
    /// Its labels, all of them.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// How it is signed in to.
    #[serde(default)]
    pub auth_mode: Option<String>,
    /// Whether it is in use: registered, unavailable or disabled. That it is healthy it shows itself.
    #[serde(default)]
    pub status: Option<ByHand>,
    /// Where its logs are; null for nowhere.
    #[serde(default, deserialize_with = "given")]
    pub log_config: Option<Value>,
    /// Where its metrics are; null for nowhere.
    #[serde(default, deserialize_with = "given")]
    pub metrics_config: Option<Value>,
    /// Where its traces are; null for nowhere.
    #[serde(default, deserialize_with = "given")]
    pub trace_config: Option<Value>,
}

/// What is said, also where that is null: then there is none any more.
fn given<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Changed {
    /// `updated`.
    pub outcome: &'static str,
    #[serde(flatten)]
    pub service: Service,
}

impl Verb for Update {
    const ABOUT: About = About::new(
        "services",
        "update",
        Method::Patch,
        "/services/{service_id}",
        Level::Operate,
        Effect::Change,
    )
    .also(&[("id", "service_id"), ("url", "base_url"), ("tag", "tags")]);
    type Answer = Changed;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "status": "unavailable", "tags": ["core", "eu"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Changed>, Fault> {
        let change = Change {
            name: self.name.clone(),
            base_url: self.base_url.as_ref().map(|url| url.0.clone()),
            environment: self.environment.as_ref().map(|own| own.0.clone()),
            tags: self.tags.clone(),
            auth_mode: self.auth_mode.clone(),
            status: self.status,
            log_config: self.log_config.clone(),
            metrics_config: self.metrics_config.clone(),
            trace_config: self.trace_config.clone(),
        };
        changed(call, &self.service_id, &change).await
    }
}

async fn changed(call: &Call, id: &ServiceId, change: &Change) -> Result<Verdict<Changed>, Fault> {
    let outcome = call.plane.services().asked(call.request.as_deref()).update(id, change).await?;
    Ok(Verdict::from(outcome).map(|service| Changed { outcome: "updated", service }))
}

/// Keeps a service from being called until somebody enables it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Disable {
    /// The service.
    pub service_id: Said<ServiceId>,
}

impl Verb for Disable {
    const ABOUT: About = About::new(
        "services",
        "disable",
        Method::Post,
        "/services/{service_id}/disable",
        Level::Operate,
        Effect::Change,
    )
    .also(&[("id", "service_id")]);
    type Answer = Changed;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Changed>, Fault> {
        let change = Change { status: Some(ByHand::Disabled), ..Change::default() };
        changed(call, &self.service_id, &change).await
    }
}

/// Lets a service be called again; when it answers it is healthy.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Enable {
    /// The service.
    pub service_id: Said<ServiceId>,
}

impl Verb for Enable {
    const ABOUT: About = About::new(
        "services",
        "enable",
        Method::Post,
        "/services/{service_id}/enable",
        Level::Operate,
        Effect::Change,
    )
    .also(&[("id", "service_id")]);
    type Answer = Changed;

    fn example() -> Value {
        json!({ "service_id": "payments-api" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Changed>, Fault> {
        let change = Change { status: Some(ByHand::Registered), ..Change::default() };
        changed(call, &self.service_id, &change).await
    }
}
