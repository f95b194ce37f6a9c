//! What notices speak of.

use std::collections::BTreeSet;

use quorate_catalog::ids::{DeadLetterId, ServiceId};
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Most failures of one message.
pub(super) const MOST: usize = 50;
/// The longest word of a failure that a message repeats, in characters.
const LONGEST: usize = 300;
/// What is known of a failure, with its name in a message.
pub(super) const FIELDS: [(&str, &str); 14] = [
    ("service_name", "Service"),
    ("service_id", "Service ID"),
    ("failure_id", "Failure ID"),
    ("task_id", "Task ID"),
    ("correlation_id", "Correlation ID"),
    ("queue_name", "Queue"),
    ("dlq_name", "DLQ"),
    ("status", "Status"),
    ("failed_at", "Failed At"),
    ("error_type", "Error Type"),
    ("error_message", "Error Message"),
    ("worker_id", "Worker"),
    ("investigation_status", "Investigation"),
    ("retry_status", "Retry"),
];

/// One failure: the words of [`FIELDS`] that were said of it, each a line without signs that steer anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Item(pub(super) Map<String, Value>);

impl Item {
    /// What a service says of a failure, if it has a name.
    pub(super) fn of(service: &ServiceId, name: &str, said: &Value) -> Option<Self> {
        let text = |field: &str| match said.get(field) {
            Some(Value::String(text)) => tame(text),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        DeadLetterId::parse(&text("failure_id")?).ok()?;
        let mut item: Map<String, Value> =
            FIELDS.iter().filter_map(|(field, _)| Some(((*field).to_owned(), text(field)?.into()))).collect();
        item.insert("service_id".to_owned(), service.as_key().into());
        item.entry("service_name").or_insert_with(|| name.into());
        Some(Self(item))
    }

    pub(super) fn text(&self, field: &str) -> &str {
        self.0.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    /// By which it is known: the service and the failure.
    pub(super) fn name(&self) -> Option<(ServiceId, DeadLetterId)> {
        let service = ServiceId::parse(self.text("service_id")).ok()?;
        Some((service, DeadLetterId::parse(self.text("failure_id")).ok()?))
    }
}

/// A text in one line, as long as a line may be; nothing where it says nothing.
fn tame(text: &str) -> Option<String> {
    let line: String = text
        .chars()
        .map(|sign| if sign.is_control() || ('\u{202a}'..='\u{202e}').contains(&sign) { ' ' } else { sign })
        .take(LONGEST)
        .collect();
    Some(line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// What the next message will tell of. Relayna's studio writes the first two fields and ignores the others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pending {
    pub(super) started_at: String,
    #[serde(default)]
    pub(super) items: Vec<Item>,
    /// Ways on which it has been sent.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) done: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) attempts: u32,
    /// Not before this moment, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) next_at: Option<u64>,
    /// Why it could not be sent the last time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trouble: Option<String>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Pending {
    pub(super) fn has(&self, name: &(ServiceId, DeadLetterId)) -> bool {
        self.items.iter().any(|item| {
            item.text("service_id") == name.0.as_key() && item.text("failure_id") == name.1.as_key()
        })
    }

    /// When it began; what cannot be read began long ago.
    pub(super) fn started(&self) -> Micros {
        crate::tasks::moment(&self.started_at).unwrap_or_else(|| Micros::from_millis(0))
    }

    /// The same for every attempt to send it, so that whoever gets it twice can tell.
    pub(super) fn batch(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.started_at);
        for item in &self.items {
            hash.update(format!("\n{} {}", item.text("service_id"), item.text("failure_id")));
        }
        hex::encode(hash.finalize())[..32].to_owned()
    }
}

/// What operators set while it runs, as Relayna's studio keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wanted {
    /// Whether anybody is told.
    pub enabled: bool,
    /// How long failures are gathered after the first one, in seconds.
    pub batch_wait_seconds: u64,
}

/// How it stands with the notices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct State {
    /// Whether mail can be sent: a server and somebody to get it are known to the process that was asked.
    pub configured: bool,
    #[serde(flatten)]
    pub wanted: Wanted,
    pub max_batch_wait_seconds: u64,
    pub receivers: Vec<String>,
    /// Failures that the next message will tell of.
    pub pending: usize,
    pub pending_since: Option<String>,
    /// How often it was tried to send it.
    pub attempts: u32,
    /// Why it could not be sent the last time.
    pub trouble: Option<String>,
}

/// What one turn did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Turn {
    /// Failures that were found and nobody had been told of.
    pub found: usize,
    /// Failures that somebody was told of.
    pub sent: usize,
    /// Failures that wait for the message.
    pub waiting: usize,
    /// Why nothing was done: `disabled`, or `busy` where another process has the turn.
    pub idle: Option<String>,
    /// What went wrong: a service that gave no answer, a way on which nothing could be sent.
    pub trouble: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_strangers_say_is_one_short_line_and_a_failure_without_a_name_is_none() {
        let service = ServiceId::parse("pay").unwrap();
        let said = json!({ "failure_id": "f1", "task_id": "a\r\nBcc: everybody\u{202e}", "status": 7, "error_type": {},
            "error_message": "x".repeat(900), "service_id": "another" });
        let item = Item::of(&service, "Pay", &said).unwrap();
        assert_eq!(
            (item.text("task_id"), item.text("status"), item.text("error_type")),
            ("a  Bcc: everybody", "7", "")
        );
        assert_eq!((item.text("service_id"), item.text("service_name")), ("pay", "Pay"));
        assert_eq!(item.text("error_message").len(), LONGEST);
        for none in [json!({}), json!({ "failure_id": "" }), json!({ "failure_id": "a:b" }), json!([])] {
            assert_eq!(Item::of(&service, "Pay", &none), None, "{none}");
        }
    }
}
