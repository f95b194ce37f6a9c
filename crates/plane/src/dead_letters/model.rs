//! What the capability speaks of.

use std::collections::HashMap;

use quorate_store::Micros;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// Something that could not be done.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Letter {
    pub id: String,
    pub source: String,
    /// The id it had there.
    pub item: String,
    pub reason: String,
    pub attempts: u32,
    pub fingerprint: String,
    pub by: String,
    pub died_at: String,
    /// `open` while somebody has still to decide, `replayed`, or `resolved` when the new item was acknowledged.
    pub state: String,
    pub replays: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed_as: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub investigated_by: Option<String>,
    pub payload: String,
    #[serde(skip)]
    pub original: Vec<u8>,
    pub history: Vec<Json>,
}

impl Letter {
    pub(super) fn read(id: &str, fields: HashMap<String, Vec<u8>>) -> Option<Self> {
        let text = |name: &str| fields.get(name).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let number = |name: &str| text(name).and_then(|text| text.parse().ok());
        let original = fields.get("original").cloned().unwrap_or_default();
        let payload = crate::queues::item::open(&original).payload;
        let history = text("history").unwrap_or_default();
        Some(Self {
            id: id.to_owned(),
            source: text("source")?,
            item: text("item").unwrap_or_default(),
            reason: text("reason").unwrap_or_default(),
            attempts: number("attempts").unwrap_or_default(),
            fingerprint: text("fingerprint").unwrap_or_default(),
            by: text("by").unwrap_or_default(),
            died_at: Micros::from_millis(text("died_at")?.parse().ok()?).iso(),
            state: text("state").unwrap_or_default(),
            replays: number("replays").unwrap_or_default(),
            replayed_as: text("replayed_as"),
            note: text("note"),
            investigated_by: text("investigated_by"),
            payload: String::from_utf8_lossy(&payload).into_owned(),
            original,
            history: history.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        })
    }
}

/// Which letters are meant.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Such as `queue:normal`.
    pub source: Option<String>,
    /// A fingerprint.
    pub cluster: Option<String>,
    /// `open`, `replayed` or `resolved`.
    pub state: Option<String>,
    /// Only letters whose reason or payload contains this.
    pub text: Option<String>,
    pub limit: usize,
}

/// Letters whose failures have the same fingerprint.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Cluster {
    pub fingerprint: String,
    /// Every letter there is of it, also what was replayed and done.
    pub count: u64,
    /// Those that wait for somebody.
    pub open: u64,
    pub last: String,
    /// The reason of the latest.
    pub reason: String,
}

/// How a letter is replayed.
#[derive(Debug, Clone)]
pub struct Replay {
    pub who: String,
    /// A repeated call with the same id makes no second item.
    pub request: String,
    /// Another payload in the place of its own.
    pub payload: Option<String>,
    /// Most replays of one letter.
    pub cap: u32,
}

impl Replay {
    pub fn by(who: impl Into<String>) -> Self {
        Self { who: who.into(), request: crate::random_id(), payload: None, cap: super::REPLAY_CAP }
    }
}

/// What an edit changed: member by member where both are objects, else the whole.
pub(super) fn diff(before: &str, after: &str) -> Json {
    let (old, new): (Option<Json>, Option<Json>) =
        (serde_json::from_str(before).ok(), serde_json::from_str(after).ok());
    let (Some(Json::Object(old)), Some(Json::Object(new))) = (old, new) else {
        return json!([{ "member": "", "before": before, "after": after }]);
    };
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let changed = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    changed.map(|name| json!({ "member": name, "before": old.get(name), "after": new.get(name) })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_kept_member_by_member() {
        let changes = diff(r#"{"a":1,"b":2}"#, r#"{"a":1,"b":3,"c":4}"#);
        assert_eq!(
            changes,
            json!([{ "member": "b", "before": 2, "after": 3 }, { "member": "c", "before": null, "after": 4 }])
        );
        assert_eq!(diff("x", "y")[0]["after"], "y");
    }
}
