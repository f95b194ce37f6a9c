//! A status event: as it comes in, checked and given a token, and as it is read back, whoever wrote it.

use quorate_catalog::ids::TaskId;
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::canonical::token;
use crate::json::Object;

/// The statuses that end a task, in any case.
pub const TERMINAL: [&str; 2] = ["completed", "failed"];
/// Longest status, event id or correlation id, in bytes.
const NAME_MAX: usize = 256;
/// What only the store says of an event.
const OURS: [&str; 3] = ["seq", "out_of_order", "after_end"];

/// Whether a status ends its task.
pub fn is_terminal(status: &str) -> bool {
    TERMINAL.iter().any(|end| status.trim().eq_ignore_ascii_case(end))
}

/// Reads a moment as the seed's clients write it. One without a zone is in UTC, as theirs are.
pub fn moment(text: &str) -> Option<Micros> {
    let civil = || text.parse::<jiff::civil::DateTime>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok();
    Micros::parse_iso(text)
        .or_else(|| u64::try_from(civil()?.timestamp().as_microsecond()).ok().map(Micros::new))
}

/// A status event that is to be taken.
#[derive(Debug, Clone)]
pub struct Report {
    pub(super) task: TaskId,
    pub(super) status: String,
    pub(super) at: Option<Micros>,
    pub(super) attempt: u32,
    pub(super) parent: Option<TaskId>,
    pub(super) token: String,
    /// The event without its last brace: the store adds its number.
    pub(super) open: String,
    /// What the feed says of it beside the event itself, as further fields of an object.
    pub(super) offer: String,
}

impl Report {
    /// An event with no more than a status.
    pub fn new(task: TaskId, status: &str) -> Result<Self, String> {
        let mut document = Object::default();
        document.set_text("status", status);
        Self::of(task, document)
    }

    /// An event as a worker wrote it: checked, its names trimmed, and everything else left as it was.
    pub fn of(task: TaskId, mut document: Object) -> Result<Self, String> {
        OURS.iter().for_each(|name| document.remove(name));
        if document.text("task_id")?.is_some_and(|own| own.trim() != task.as_key()) {
            return Err("task_id is another task".to_owned());
        }
        document.set_text("task_id", task.as_key());
        let status = name(&mut document, "status")?.ok_or("status is missing")?;
        let event_id = name(&mut document, "event_id")?;
        name(&mut document, "correlation_id")?;
        let at = match document.text("timestamp")? {
            None => None,
            Some(text) => Some(moment(&text).ok_or("timestamp is no moment in ISO 8601 since 1970")?),
        };
        if at.is_none() {
            document.remove("timestamp");
        }
        let meta: Json =
            document.get("meta").map_or(Ok(Json::Null), serde_json::from_str).unwrap_or_default();
        if !meta.is_object() && !meta.is_null() {
            return Err("meta is no object".to_owned());
        }
        let parent = parent(&meta, &task)?;
        let mut text = document.to_string();
        if text.len() > crate::json::OBJECT_MAX {
            return Err(format!("it has {} bytes, and {} are the most", text.len(), crate::json::OBJECT_MAX));
        }
        let token = event_id.unwrap_or_else(|| token(&text));
        let offer = offer(&document, &task, &status, parent.as_ref());
        text.pop();
        Ok(Self { attempt: attempt(&meta), task, status, at, parent, token, open: text, offer })
    }
}

fn offer(document: &Object, task: &TaskId, status: &str, parent: Option<&TaskId>) -> String {
    let text = |value: Option<&str>| Json::from(value).to_string();
    let time = document.get("timestamp").map(|time| format!(",\"timestamp\":{time}"));
    format!(
        ",\"task_id\":{},\"event_type\":{},\"source_kind\":\"status\",\"component\":\"status\",\"event_id\":{},\"correlation_id\":{},\"parent_task_id\":{}{}",
        text(Some(task.as_key())),
        text(Some(&format!("status.{}", status.to_lowercase()))),
        document.get("event_id").unwrap_or("null"),
        document.get("correlation_id").unwrap_or("null"),
        text(parent.map(TaskId::as_key)),
        time.unwrap_or_default(),
    )
}

/// A field that names something: trimmed, not too long; one that is empty says nothing.
fn name(document: &mut Object, field: &str) -> Result<Option<String>, String> {
    let said = document.text(field)?.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match &said {
        Some(text) if text.len() > NAME_MAX || text.contains(char::is_control) => {
            return Err(format!("{field} is longer than {NAME_MAX} bytes, or has control characters"));
        }
        Some(text) => document.set_text(field, text),
        None => document.remove(field),
    }
    Ok(said)
}

/// The parent that an event names; a task is not its own.
fn parent(meta: &Json, task: &TaskId) -> Result<Option<TaskId>, String> {
    let named = meta.get("parent_task_id").and_then(Json::as_str).map(str::trim);
    match named.filter(|name| !name.is_empty() && *name != task.as_key()) {
        None => Ok(None),
        Some(name) => TaskId::parse(name).map(Some).map_err(|why| format!("meta.parent_task_id: {why}")),
    }
}

/// Which attempt an event belongs to: the seed's `retry_attempt`, or `attempt`; 0 where it says nothing.
fn attempt(meta: &Json) -> u32 {
    let said =
        |name: &str| meta.get(name).and_then(Json::as_u64).and_then(|number| u32::try_from(number).ok());
    said("retry_attempt").max(said("attempt")).unwrap_or_default()
}

/// An event of a task as a store has it. Its fields are whoever's that wrote it, and none of them is trusted to be there.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Event(pub Map<String, Json>);

impl Event {
    /// An event, unless the bytes are none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        match serde_json::from_slice(bytes).ok()? {
            Json::Object(fields) => Some(Self(fields)),
            _ => None,
        }
    }

    /// A field that is a text and says something.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    pub fn status(&self) -> Option<&str> {
        self.text("status")
    }

    pub fn event_id(&self) -> Option<&str> {
        self.text("event_id")
    }

    pub fn at(&self) -> Option<Micros> {
        self.text("timestamp").and_then(moment)
    }

    /// Its number among the events of its task; the seed's own clients give none.
    pub fn seq(&self) -> Option<u64> {
        self.0.get("seq").and_then(Json::as_u64)
    }

    pub fn attempt(&self) -> u32 {
        self.0.get("meta").map(attempt).unwrap_or_default()
    }

    /// Whether it came too late to count.
    pub fn is_flagged(&self) -> bool {
        self.0.contains_key("out_of_order") || self.0.contains_key("after_end")
    }

    pub fn is_terminal(&self) -> bool {
        self.status().is_some_and(is_terminal)
    }

    /// Whether its task has ended with it: an end that came late, of an attempt before, is none.
    pub fn ends(&self) -> bool {
        self.is_terminal() && !self.0.contains_key("out_of_order")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Result<Report, String> {
        Report::of(TaskId::parse("t1").unwrap(), Object::parse(text).unwrap())
    }

    #[test]
    fn an_event_is_known_by_its_id_or_by_its_content() {
        let by_id = report(r#"{"status":" Running ","event_id":" e1 ","seq":9}"#).unwrap();
        assert_eq!((by_id.token.as_str(), by_id.status.as_str()), ("e1", "Running"));
        assert_eq!(by_id.open, r#"{"status":"Running","event_id":"e1","task_id":"t1""#);
        let one = report(r#"{"status":"running","meta":{"a":1,"b":2}}"#).unwrap();
        let two =
            report(r#"{"meta":{"b":2,"a":1},"task_id":"t1","status":"running","event_id":""}"#).unwrap();
        assert_eq!((one.token.len(), &one.token), (64, &two.token));
    }

    #[test]
    fn what_can_never_be_a_status_is_refused() {
        for bad in [
            r#"{}"#,
            r#"{"status":""}"#,
            r#"{"status":7}"#,
            r#"{"status":"x","task_id":"t2"}"#,
            r#"{"status":"x","timestamp":"yesterday"}"#,
            r#"{"status":"x","timestamp":5}"#,
            r#"{"status":"x","timestamp":"1969-01-01T00:00:00Z"}"#,
            r#"{"status":"x","meta":[]}"#,
            r#"{"status":"x","meta":{"parent_task_id":"a:b"}}"#,
            "{\"status\":\"x\\n\"}",
        ] {
            let outcome = report(bad);
            assert!(outcome.is_err() || bad.contains("\\n"), "{bad}: {outcome:?}");
        }
        assert!(report(r#"{"status":"a\u0000b"}"#).is_err());
    }

    #[test]
    fn moments_are_compared_across_offsets_and_without_one() {
        let at = |text: &str| moment(text).unwrap();
        assert_eq!(at("2026-04-06T10:00:00+02:00"), at("2026-04-06T08:00:00Z"));
        assert_eq!(at("2026-04-06T08:00:00"), at("2026-04-06T08:00:00Z"), "no zone is UTC");
        assert!(at("2026-04-06T09:59:00+02:00") < at("2026-04-06T08:00:00"));
        assert_eq!(moment("24:00"), None);
    }

    #[test]
    fn the_end_is_the_end_in_any_case() {
        assert!(["completed", "FAILED", " Completed "].iter().all(|word| is_terminal(word)));
        assert!(!is_terminal("running") && !is_terminal("complete"));
    }
}
