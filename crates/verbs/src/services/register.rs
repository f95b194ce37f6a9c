//! `services register`.

use quorate_catalog::ids::{EnvironmentId, ServiceId};
use quorate_plane::services::{Address, NewService, Service};

use crate::prelude::*;

/// Registers a service: its id stays, and no other has its URL in its environment.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Register {
    /// What it is called from now on.
    pub service_id: Said<ServiceId>,
    /// Its name for people; the id if it is not said.
    #[serde(default)]
    pub name: Option<String>,
    /// Where it answers: an http or https URL without credentials and without a query.
    pub base_url: Said<Address>,
    /// Where it runs, such as production.
    pub environment: Said<EnvironmentId>,
    /// Its labels.
    #[serde(default)]
    pub tags: Vec<String>,
    /// How it is signed in to; internal_network if it is not said.
    #[serde(default)]
    pub auth_mode: Option<String>,
    /// Where its logs are.
    #[serde(default)]
    pub log_config: Option<Value>,
    /// Where its metrics are.
    #[serde(default)]
    pub metrics_config: Option<Value>,
    /// Where its traces are.
    #[serde(default)]
    pub trace_config: Option<Value>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Registered {
    /// `registered`.
    pub outcome: &'static str,
    #[serde(flatten)]
    pub service: Service,
}

impl Verb for Register {
    const ABOUT: About =
        About::new("services", "register", Method::Post, "/services", Level::Operate, Effect::Change)
            .of(&["service_id"])
            .also(&[("id", "service_id"), ("url", "base_url"), ("tag", "tags")]);
    type Answer = Registered;

    fn example() -> Value {
        json!({ "service_id": "payments-api", "name": "Payments", "base_url": "https://payments.example.com", "environment": "production", "tags": ["core"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Registered>, Fault> {
        let wanted = NewService {
            id: self.service_id.0.clone(),
            name: self.name.clone().unwrap_or_else(|| self.service_id.to_string()),
            base_url: self.base_url.0.clone(),
            environment: self.environment.0.clone(),
            tags: self.tags.clone(),
            auth_mode: self.auth_mode.clone().unwrap_or_else(|| "internal_network".to_owned()),
            log_config: self.log_config.clone(),
            metrics_config: self.metrics_config.clone(),
            trace_config: self.trace_config.clone(),
        };
        let outcome = call.plane.services().asked(call.request.as_deref()).register(&wanted).await?;
        Ok(Verdict::from(outcome).map(|service| Registered { outcome: "registered", service }))
    }
}
