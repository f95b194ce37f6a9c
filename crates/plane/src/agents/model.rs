//! What the capability speaks of.

use std::time::Duration;

use quorate_catalog::ids::{AgentId, WordId};
use quorate_store::Micros;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// How long what an agent holds outlasts its last sign of life, unless it says otherwise.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(60);

/// What an agent says of itself.
#[derive(Debug, Clone)]
pub struct Registration {
    pub agent: AgentId,
    /// The epoch of a living incarnation that registers again; a new incarnation has none.
    pub epoch: Option<u64>,
    pub kind: String,
    pub role: Option<WordId>,
    pub task: Option<String>,
    pub capabilities: Vec<WordId>,
    pub max_tasks: Option<u32>,
    pub lease: Duration,
    /// Merged into the blob that is there, field by field.
    pub blob: Option<Map<String, Json>>,
    pub parent: Option<AgentId>,
}

impl Registration {
    pub fn new(agent: AgentId) -> Self {
        Self {
            agent,
            epoch: None,
            kind: "agent".to_owned(),
            role: None,
            task: None,
            capabilities: Vec::new(),
            max_tasks: None,
            lease: DEFAULT_LEASE,
            blob: None,
            parent: None,
        }
    }

    pub(super) fn lease_ms(&self) -> u64 {
        u64::try_from(self.lease.as_millis()).unwrap_or(u64::MAX)
    }

    /// The session's fields to write; what is not stated stays as it is.
    pub(super) fn fields(&self, old_blob: Option<&Json>) -> Vec<(&'static str, String)> {
        let capabilities =
            (!self.capabilities.is_empty()).then(|| serde_json::json!(self.capabilities).to_string());
        let blob = self.blob.as_ref().map(|new| Blob::Merge(new.clone()).over(old_blob));
        [
            Some(("type", self.kind.clone())),
            self.task.clone().map(|task| ("task", task)),
            self.role.as_ref().map(|role| ("role", role.to_string())),
            capabilities.map(|text| ("capabilities", text)),
            self.max_tasks.map(|most| ("max_tasks", most.to_string())),
            blob.map(|text| ("blob", text)),
            self.parent.as_ref().map(|parent| ("parent", parent.to_string())),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// A change of an agent's own record.
#[derive(Debug, Clone, Default)]
pub struct Patch {
    pub task: Option<String>,
    pub status: Option<String>,
    pub blob: Option<Blob>,
}

/// The values reverie knows for a session's status.
pub const STATUSES: [&str; 4] = ["pending", "in_progress", "blocked", "done"];

impl Patch {
    pub(super) fn fields(&self, old_blob: Option<&Json>) -> Vec<(&'static str, String)> {
        let blob = self.blob.as_ref().map(|blob| blob.clone().over(old_blob));
        [
            self.task.clone().map(|task| ("task", task)),
            self.status.clone().map(|status| ("status", status)),
            blob.map(|text| ("blob", text)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// A new blob, or fields for the one that is there.
#[derive(Debug, Clone)]
pub enum Blob {
    Replace(Map<String, Json>),
    Merge(Map<String, Json>),
}

impl Blob {
    fn over(self, old: Option<&Json>) -> String {
        let merged = match (self, old) {
            (Self::Replace(new), _) | (Self::Merge(new), None) => new,
            (Self::Merge(new), Some(old)) => {
                let mut all = old.as_object().cloned().unwrap_or_default();
                all.extend(new);
                all
            }
        };
        Json::Object(merged).to_string()
    }
}

/// A registration that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Registered {
    pub epoch: u64,
    pub lease_until: Micros,
}

impl Registered {
    pub(super) fn read(words: &[String]) -> Option<Self> {
        let [epoch, lease_until, ..] = words else { return None };
        Some(Self { epoch: epoch.parse().ok()?, lease_until: Micros::from_millis(lease_until.parse().ok()?) })
    }
}

/// What a heartbeat is answered with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Beat {
    pub epoch: u64,
    pub lease_until: Micros,
    /// Messages that wait in the agent's inbox.
    pub messages: u64,
    /// Why the agent is to finish and take nothing new.
    pub drain: Option<String>,
}

impl Beat {
    pub(super) fn read(words: &[String]) -> Option<Self> {
        let [epoch, lease_until, messages, drain] = words else { return None };
        Some(Self {
            epoch: epoch.parse().ok()?,
            lease_until: Micros::from_millis(lease_until.parse().ok()?),
            messages: messages.parse().ok()?,
            drain: Some(drain.clone()).filter(|reason| !reason.is_empty()),
        })
    }
}

/// How an agent is doing, computed from the server's time when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// Heard from within 60 s.
    Online,
    /// Not heard from for longer.
    Away,
    /// Not heard from for 300 s.
    Stale,
    /// Its session is gone.
    Dead,
}

impl Label {
    const AWAY_AFTER: Duration = Duration::from_secs(60);
    const STALE_AFTER: Duration = Duration::from_secs(300);

    /// From the age of the last sign of life.
    pub fn of(age: Duration) -> Self {
        match age {
            age if age > Self::STALE_AFTER => Self::Stale,
            age if age > Self::AWAY_AFTER => Self::Away,
            _ => Self::Online,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Online => "online",
            Self::Away => "away",
            Self::Stale => "stale",
            Self::Dead => "dead",
        }
    }
}

/// An agent as others see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agent {
    pub agent: String,
    pub label: Label,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    pub capabilities: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<Json>,
    /// Unix seconds, as the seed has them.
    pub last_heartbeat: Option<f64>,
    pub last_acked_at: Option<f64>,
    pub last_poked_at: Option<f64>,
    pub registered_at: Option<f64>,
    /// When what it holds passes on; Unix seconds.
    pub lease_until: Option<f64>,
    pub draining: bool,
    pub revoked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tasks: Option<u32>,
}
