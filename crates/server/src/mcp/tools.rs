//! Which verbs are tools, and how they are described.

use std::sync::Arc;

use quorate_plane::tokens::Caller;
use quorate_verbs::{Effect, Entry};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

/// A few of each noun: what an agent needs to live and work here.
const TOOLS: [(&str, &[&str]); 14] = [
    ("agents", &["register", "heartbeat", "ls", "show", "update", "deregister"]),
    ("locks", &["acquire", "renew", "release", "show", "ls"]),
    ("queues", &["push", "claim", "ack", "nack", "extend", "ls"]),
    ("messages", &["send", "inbox", "read", "ack"]),
    ("events", &["publish", "newest"]),
    ("observations", &["submit"]),
    ("logs", &["emit", "tail"]),
    ("dead", &["ls", "show", "replay"]),
    ("jobs", &["schedule", "ls", "show"]),
    ("tasks", &["status", "show", "history"]),
    ("workflows", &["start", "enter", "complete", "fail", "arrive", "explain"]),
    ("limits", &["check", "explain"]),
    ("overview", &["show"]),
    ("find", &["find"]),
];

/// The tools that a caller may use.
pub(super) fn of(entries: &[Arc<Entry>], caller: &Caller) -> Vec<Tool> {
    let own =
        entries.iter().filter(|entry| is_tool(entry) && caller.may(entry.about.noun, entry.about.level));
    own.map(|entry| describe(entry)).collect()
}

/// The verb behind a tool's name.
pub(super) fn find(entries: &[Arc<Entry>], name: &str) -> Option<Arc<Entry>> {
    entries.iter().find(|entry| is_tool(entry) && name_of(entry) == name).cloned()
}

fn is_tool(entry: &Entry) -> bool {
    TOOLS.iter().any(|(noun, verbs)| *noun == entry.about.noun && verbs.contains(&entry.about.verb))
}

fn name_of(entry: &Entry) -> String {
    format!("{}_{}", entry.about.noun, entry.about.verb)
}

fn describe(entry: &Entry) -> Tool {
    let text = entry.input.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let annotations = ToolAnnotations::with_title(format!("{} {}", entry.about.noun, entry.about.verb))
        .read_only(entry.about.effect == Effect::None)
        .destructive(entry.about.effect == Effect::Destroys)
        .idempotent(entry.about.effect == Effect::None)
        .open_world(false);
    Tool::new(name_of(entry), text, Arc::new(schema(entry))).with_annotations(annotations)
}

/// The verb's schema as an object of its own.
fn schema(entry: &Entry) -> Map<String, Value> {
    let mut schema = serde_json::to_value(&entry.input)
        .ok()
        .and_then(|value| value.as_object().cloned())
        .unwrap_or_default();
    schema.retain(|name, _| name != "$schema" && name != "title" && name != "description");
    schema.entry("properties").or_insert_with(|| Map::new().into());
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}
