//! What the capability speaks of.

use std::time::Duration;

use quorate_catalog::ids::{AgentId, WordId};
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use crate::json::{OBJECT_MAX, Object};

/// How long what an agent holds outlasts its last sign of life, unless it says otherwise.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(60);
/// The longest such time.
pub const MAX_LEASE: Duration = Duration::from_secs(24 * 60 * 60);
/// Most capabilities of one agent.
pub const MAX_CAPABILITIES: usize = 64;
/// Longest text an agent or an operator may leave, in bytes.
pub const MAX_TEXT: usize = 4096;
/// What an agent is that does not say.
const PLAIN_KIND: &str = "agent";

/// What an agent says of itself. What it does not state stays as it is.
#[derive(Debug, Clone)]
pub struct Registration {
    pub agent: AgentId,
    /// The epoch of a living incarnation that registers again; a new incarnation has none.
    pub epoch: Option<u64>,
    pub kind: Option<String>,
    pub role: Option<WordId>,
    pub task: Option<String>,
    pub capabilities: Vec<WordId>,
    pub max_tasks: Option<u32>,
    pub lease: Duration,
    /// Merged into the blob that is there, field by field.
    pub blob: Option<Object>,
    pub parent: Option<AgentId>,
}

impl Registration {
    pub fn new(agent: AgentId) -> Self {
        Self {
            agent,
            epoch: None,
            kind: None,
            role: None,
            task: None,
            capabilities: Vec::new(),
            max_tasks: None,
            lease: DEFAULT_LEASE,
            blob: None,
            parent: None,
        }
    }

    /// What can never be registered, in one sentence.
    pub(super) fn fault(&self) -> Option<String> {
        let long = |name: &str, text: &Option<String>| text.as_ref().and_then(|text| too_long(name, text));
        if self.lease.is_zero() || self.lease > MAX_LEASE {
            return Some("a lease is more than nothing and at most a day".to_owned());
        }
        if self.capabilities.len() > MAX_CAPABILITIES {
            return Some(format!("an agent has at most {MAX_CAPABILITIES} capabilities"));
        }
        if self.parent.as_ref() == Some(&self.agent) {
            return Some("an agent is not its own parent".to_owned());
        }
        long("type", &self.kind).or_else(|| long("task", &self.task))
    }

    pub(super) fn lease_ms(&self) -> u64 {
        u64::try_from(self.lease.as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// The type for the agent's context, which keeps the first one it was given.
    pub(super) fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or(PLAIN_KIND)
    }

    /// Each capability once.
    pub(super) fn capabilities(&self) -> Vec<&WordId> {
        let mut words = Vec::new();
        for word in &self.capabilities {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    /// The session's fields to write.
    pub(super) fn fields(&self, blob: Option<String>) -> Vec<(&'static str, String)> {
        let capabilities = self.capabilities();
        let capabilities = (!capabilities.is_empty()).then(|| serde_json::json!(capabilities).to_string());
        [
            self.kind.clone().map(|kind| ("type", kind)),
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
    pub status: Option<Status>,
    pub blob: Option<Blob>,
}

impl Patch {
    pub(super) fn fault(&self) -> Option<String> {
        if self.task.is_none() && self.status.is_none() && self.blob.is_none() {
            return Some("there is nothing to change".to_owned());
        }
        self.task.as_ref().and_then(|task| too_long("task", task))
    }

    pub(super) fn fields(&self, blob: Option<String>) -> Vec<(&'static str, String)> {
        [
            self.task.clone().map(|task| ("task", task)),
            self.status.map(|status| ("status", status.as_str().to_owned())),
            blob.map(|text| ("blob", text)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// A text that is longer than any may be, in one sentence.
pub(super) fn too_long(name: &str, text: &str) -> Option<String> {
    (text.len() > MAX_TEXT)
        .then(|| format!("the {name} has {} bytes, and {MAX_TEXT} are the most", text.len()))
}

/// The values reverie knows for a session's status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Pending,
    InProgress,
    Blocked,
    Done,
}

impl Status {
    pub const ALL: [Self; 4] = [Self::Pending, Self::InProgress, Self::Blocked, Self::Done];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Blocked => "blocked",
            Self::Done => "done",
        }
    }
}

/// A new blob, or fields for the one that is there.
#[derive(Debug, Clone)]
pub enum Blob {
    Replace(Object),
    Merge(Object),
}

impl Blob {
    /// The blob to write over what is there, or why not in one sentence.
    pub(super) fn over(&self, old: &[u8]) -> Result<String, String> {
        let text = match self {
            Self::Replace(new) => new.to_string(),
            // What is no object has no fields that could stay.
            Self::Merge(new) => new.clone().over(serde_json::from_slice(old).unwrap_or_default()).to_string(),
        };
        let most = || format!("the blob would have {} bytes, and {OBJECT_MAX} are the most", text.len());
        if text.len() > OBJECT_MAX { Err(most()) } else { Ok(text) }
    }
}

/// A registration that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Registered {
    pub epoch: u64,
    pub lease_until: Micros,
    /// There was an earlier incarnation, which holds nothing from now on.
    #[serde(skip)]
    pub(super) replaces: bool,
}

impl Registered {
    pub(super) fn read(words: &[String]) -> Option<Self> {
        let [epoch, lease_until, more @ ..] = words else { return None };
        Some(Self {
            epoch: epoch.parse().ok()?,
            lease_until: Micros::from_millis(lease_until.parse().ok()?),
            replaces: more.get(1).is_some_and(|before| before == "1"),
        })
    }
}

/// What a heartbeat is answered with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Beat {
    pub epoch: u64,
    pub lease_until: Micros,
    /// Messages in the agent's inbox that it has not acknowledged.
    pub messages: u64,
    /// Those of them that it has never read.
    pub unread: u64,
    /// Why the agent is to finish and take nothing new.
    pub drain: Option<String>,
}

impl Beat {
    pub(super) fn read(words: &[String]) -> Option<Self> {
        let [epoch, lease_until, messages, drain, unread] = words else { return None };
        Some(Self {
            epoch: epoch.parse().ok()?,
            lease_until: Micros::from_millis(lease_until.parse().ok()?),
            messages: messages.parse().ok()?,
            unread: unread.parse().ok()?,
            drain: Some(drain.clone()).filter(|reason| !reason.is_empty()),
        })
    }
}

/// How an agent is doing, computed from the server's time when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// Heard from within 60 s.
    Online,
    /// Not heard from for longer.
    Away,
    /// Not heard from for 300 s.
    Stale,
    /// Its session is gone: ended, or silent for 600 s.
    Dead,
}

impl Label {
    pub(crate) const AWAY_AFTER: Duration = Duration::from_secs(60);
    pub(crate) const STALE_AFTER: Duration = Duration::from_secs(300);
    const DEAD_AFTER: Duration = Duration::from_secs(600);

    /// From the time since the agent itself was heard from, and since its session was last renewed.
    ///
    /// They differ where a client without acknowledgements renews somebody's session: that keeps the session, and
    /// does not make the agent alive.
    pub fn of(unheard: Duration, unrenewed: Duration) -> Self {
        match unheard {
            _ if unrenewed >= Self::DEAD_AFTER => Self::Dead,
            age if age >= Self::STALE_AFTER => Self::Stale,
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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
    /// Why it is to finish and take nothing new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drain: Option<String>,
    pub revoked: bool,
    /// Why it may not register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banned: Option<String>,
    /// What skynet's readers are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence: Option<String>,
    /// What ade's readers are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Capacity>,
    /// Which of its keys holds another type than it should; the rest of this agent is then unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

/// How much an agent can take on and how much it has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Capacity {
    // Most task locks and claimed items at once.
    pub max_tasks: Option<u64>,
    // Task locks and claimed items that it holds; an item that names a task, and the lock of that task, are one.
    pub active_tasks: u64,
    pub queued_tasks: u64,
    pub status: Option<String>,
    pub last_heartbeat: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(unheard: u64, unrenewed: u64) -> Label {
        Label::of(Duration::from_secs(unheard), Duration::from_secs(unrenewed))
    }

    #[test]
    fn labels_change_at_their_moments() {
        let by_age = [(0, Label::Online), (60, Label::Online), (61, Label::Away), (299, Label::Away)];
        let later = [(300, Label::Stale), (599, Label::Stale), (600, Label::Dead)];
        for (age, expected) in by_age.into_iter().chain(later) {
            assert_eq!(label(age, age), expected, "{age}");
        }
        assert_eq!(label(3_600, 10), Label::Stale, "renewed by somebody else");
    }
}
