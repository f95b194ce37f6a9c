//! What the registry speaks of: a service as it is kept, as it is asked for, and as it is changed.

use quorate_catalog::ids::{EnvironmentId, ServiceId};
use quorate_outgoing::Address;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::sources::addresses;
use crate::json::Object;

/// Longest name, label or way to sign in, in bytes.
const NAME_MAX: usize = 256;
/// Most labels of one service.
const TAGS_MAX: usize = 32;
/// Words that stand where the id of a service would, in addresses that people know.
const RESERVED: [&str; 3] = ["search", "ingest", "failed"];

/// Whether a service is in use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It is known, and has not answered yet.
    #[default]
    Registered,
    /// It answered when it was asked; nobody can say so by hand.
    Healthy,
    /// Somebody says that it is away.
    Unavailable,
    /// Somebody says that it is not to be called.
    Disabled,
}

/// A registered service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Service {
    pub service_id: String,
    /// Its name for people.
    pub name: String,
    /// Where it answers, normalised.
    pub base_url: String,
    pub environment: String,
    #[serde(default)]
    pub tags: Vec<String>,
    /// How it is signed in to.
    #[serde(default)]
    pub auth_mode: String,
    #[serde(default)]
    pub status: Status,
    /// What it says it can do.
    #[serde(default)]
    pub capabilities: Option<Json>,
    /// When it last answered.
    #[serde(default)]
    pub last_seen_at: Option<String>,
    #[serde(default)]
    pub log_config: Option<Json>,
    #[serde(default)]
    pub metrics_config: Option<Json>,
    #[serde(default)]
    pub trace_config: Option<Json>,
}

impl Service {
    /// Where it is in the index of URLs, if its record makes sense.
    pub(super) fn place(&self) -> Option<(EnvironmentId, Address)> {
        Some((EnvironmentId::parse(&self.environment).ok()?, self.base_url.parse().ok()?))
    }

    /// Whether it says that it offers this; only a service that lists what it offers can say so.
    pub fn offers(&self, route: &str) -> bool {
        let Some(said) = &self.capabilities else { return false };
        let listed = said["service_metadata"]["compatibility"] == "capabilities_v1";
        listed && said["supported_routes"].as_array().is_some_and(|all| all.iter().any(|own| own == route))
    }
}

/// A record as it is kept: the service, and every byte, so that a change is made to what was read.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) text: String,
    pub(super) service: Service,
}

impl Record {
    /// Reads a record, unless it is none or speaks of another service.
    pub(super) fn of(id: &ServiceId, text: &str) -> Option<Self> {
        let service: Service = serde_json::from_str(text).ok()?;
        (service.service_id == id.as_key()).then(|| Self { text: text.to_owned(), service })
    }

    /// The record with some fields changed; what nobody here knows stays as it was.
    pub(super) fn with(&self, change: &Json) -> Result<String, String> {
        let old = Object::within(&self.text, 1 << 20)?;
        Ok(Object::within(&change.to_string(), 1 << 20)?.over(old).to_string())
    }
}

/// A service to be registered.
#[derive(Debug, Clone)]
pub struct NewService {
    pub id: ServiceId,
    pub name: String,
    pub base_url: Address,
    pub environment: EnvironmentId,
    pub tags: Vec<String>,
    pub auth_mode: String,
    pub log_config: Option<Json>,
    pub metrics_config: Option<Json>,
    pub trace_config: Option<Json>,
}

impl NewService {
    /// Its first record.
    pub(super) fn record(&self) -> Result<String, String> {
        if RESERVED.contains(&self.id.as_key()) {
            return Err(format!("{} is no name for a service: an address of the registry has it", self.id));
        }
        Ok(json!({
            "service_id": self.id, "name": said("name", &self.name)?, "base_url": self.base_url.as_str(),
            "environment": self.environment, "tags": tags(&self.tags)?, "auth_mode": said("auth_mode", &self.auth_mode)?,
            "status": Status::Registered, "capabilities": null, "last_seen_at": null,
            "log_config": self.log_config, "metrics_config": self.metrics_config, "trace_config": self.trace_config,
        })
        .to_string())
    }

    /// The addresses that its record has beside its own.
    pub(super) fn further(&self) -> Result<Vec<Address>, String> {
        addresses(self.log_config.as_ref(), self.metrics_config.as_ref(), self.trace_config.as_ref())
    }
}

/// A change of a service; what is not said stays.
#[derive(Debug, Clone, Default)]
pub struct Change {
    pub name: Option<String>,
    pub base_url: Option<Address>,
    pub environment: Option<EnvironmentId>,
    pub tags: Option<Vec<String>>,
    pub auth_mode: Option<String>,
    pub status: Option<ByHand>,
    pub log_config: Option<Json>,
    pub metrics_config: Option<Json>,
    pub trace_config: Option<Json>,
}

/// A status that somebody can give a service; that it is healthy, it shows itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ByHand {
    Registered,
    Unavailable,
    Disabled,
}

impl Change {
    pub(super) fn fields(&self) -> Result<Json, String> {
        let mut all = serde_json::Map::new();
        let mut put =
            |name: &str, value: Option<Json>| all.extend(value.map(|value| (name.to_owned(), value)));
        put("name", self.name.as_deref().map(|name| said("name", name)).transpose()?.map(Json::from));
        put("base_url", self.base_url.as_ref().map(|url| url.as_str().into()));
        put("environment", self.environment.as_ref().map(|own| own.as_key().into()));
        put("tags", self.tags.as_deref().map(tags).transpose()?.map(Json::from));
        put(
            "auth_mode",
            self.auth_mode.as_deref().map(|mode| said("auth_mode", mode)).transpose()?.map(Json::from),
        );
        put("status", self.status.map(|status| json!(status)));
        put("log_config", self.log_config.clone());
        put("metrics_config", self.metrics_config.clone());
        put("trace_config", self.trace_config.clone());
        if all.is_empty() {
            return Err("name at least one thing that is to change".to_owned());
        }
        Ok(Json::Object(all))
    }

    pub(super) fn further(&self) -> Result<Vec<Address>, String> {
        addresses(self.log_config.as_ref(), self.metrics_config.as_ref(), self.trace_config.as_ref())
    }
}

/// A service that was deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deleted {
    pub service_id: String,
    /// How many of its events are still to be cleared away, which goes on by itself.
    pub left: u64,
}

fn said(field: &str, text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.len() > NAME_MAX || text.contains(char::is_control) {
        return Err(format!("{field} has from 1 to {NAME_MAX} bytes, and no control characters"));
    }
    Ok(text.to_owned())
}

fn tags(all: &[String]) -> Result<Vec<String>, String> {
    let mut kept: Vec<String> = Vec::new();
    for tag in all.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()) {
        let tag = said("a tag", tag)?;
        if !kept.contains(&tag) {
            kept.push(tag);
        }
    }
    if kept.len() > TAGS_MAX { Err(format!("a service has at most {TAGS_MAX} tags")) } else { Ok(kept) }
}
