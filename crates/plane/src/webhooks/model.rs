//! What the capability speaks of.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use quorate_catalog::ids::WebhookId;
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Address, Secret};
use crate::events::Stream;
use quorate_catalog::ids::EventType;

/// The streams of which a webhook is told that does not say.
pub const USUAL: [Stream; 3] =
    [Stream::Ade(EventType::Task), Stream::Ade(EventType::Approval), Stream::Ade(EventType::Lock)];
/// Most patterns of one webhook.
pub const MAX_PATTERNS: usize = 32;

/// Events by their name; with a final `*`, all whose name begins so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    pub(super) fn fits(&self, event: &str) -> bool {
        self.0.strip_suffix('*').map_or(self.0 == event, |begin| event.starts_with(begin))
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.strip_suffix('*').unwrap_or(text);
        let sound = |letter: char| letter.is_ascii_alphanumeric() || ":._-/".contains(letter);
        if text.is_empty() || text.len() > 256 || !name.chars().all(sound) {
            return Err("an event is named by letters, digits and :._-/, and may end with *".to_owned());
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A webhook to be made.
#[derive(Debug, Clone)]
pub struct NewWebhook {
    pub url: Address,
    /// Of which events; empty for all.
    pub events: Vec<Pattern>,
    /// Of which streams; empty for those of tasks, approvals and locks.
    pub streams: Vec<Stream>,
    /// What signs its deliveries; a new one if the receiver has none.
    pub secret: Option<Secret>,
    /// Who makes it.
    pub by: String,
}

/// A webhook that was made.
#[derive(Debug, Clone)]
pub struct Added {
    pub webhook: Webhook,
    /// Shown now, and never again.
    pub secret: Secret,
}

/// A webhook as operators see it: never its secret.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    /// The names of events it is told of.
    pub events: Vec<String>,
    pub streams: Vec<String>,
    pub by: String,
    pub created_at: String,
    /// Deliveries that were taken.
    pub delivered: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Attempts that failed since one was taken.
    pub streak: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_result: Option<String>,
    #[serde(skip)]
    pub(super) since: u64,
}

impl Webhook {
    pub(super) fn read(id: &WebhookId, fields: &HashMap<String, String>) -> Option<Self> {
        let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
        let number = |name: &str| text(name).parse().unwrap_or_default();
        let words = |name: &str| text(name).split_whitespace().map(str::to_owned).collect();
        let since = fields.get("created_at")?.parse().ok()?;
        let last_at: Option<u64> = fields.get("last_at").and_then(|at| at.parse().ok());
        Some(Self {
            id: id.to_string(),
            url: fields.get("url")?.clone(),
            events: words("events"),
            streams: words("streams"),
            by: text("by"),
            created_at: Micros::from_millis(since).iso(),
            delivered: number("delivered"),
            failed: number("failed"),
            streak: number("streak"),
            last_at: last_at.map(|at| Micros::from_millis(at).iso()),
            last_result: fields.get("last_result").cloned(),
            since,
        })
    }

    /// Whether it is told of an event of a stream that was written at this moment, in Unix milliseconds.
    pub(super) fn wants(&self, stream: &str, event: &str, at: u64) -> bool {
        let fits = |pattern: &String| pattern.parse().is_ok_and(|pattern: Pattern| pattern.fits(event));
        at >= self.since && self.streams.iter().any(|own| own == stream) && self.events.iter().any(fits)
    }
}

/// A webhook that was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    pub id: String,
    pub url: String,
}

/// How a trial ended.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Tried {
    /// Whether the delivery was taken.
    pub taken: bool,
    /// How it ended, in a few words.
    pub result: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_name_or_the_beginning_of_one() {
        let fits = |pattern: &str, event: &str| pattern.parse::<Pattern>().unwrap().fits(event);
        assert!(
            fits("task:state_changed", "task:state_changed") && !fits("task:state", "task:state_changed")
        );
        assert!(fits("task:*", "task:x") && !fits("task:*", "lock:x") && fits("*", ""));
        for bad in ["", "a b", "a*b", "**", "é", "a\n"] {
            assert!(bad.parse::<Pattern>().is_err(), "{bad:?}");
        }
    }
}
