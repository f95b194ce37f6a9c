//! What the search speaks of.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use quorate_catalog::ids::{Document, ServiceId, TaskId};
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::services::Missing;

/// The document of a task of a service, under the name that Relayna gives it. Both are written down in full, so no two
/// tasks share one, whatever signs their names have.
pub fn document(service: &ServiceId, task: &TaskId) -> Document {
    let both = format!("{{\"service_id\":\"{service}\",\"task_id\":\"{task}\"}}");
    Document::parse(&URL_SAFE.encode(both)).expect("two names of at most 128 bytes")
}

/// The service and the task that a document is named after; nothing for any other text.
pub fn named(document: &str) -> Option<(String, String)> {
    let both: Value = serde_json::from_slice(&URL_SAFE.decode(document).ok()?).ok()?;
    Some((both["service_id"].as_str()?.to_owned(), both["task_id"].as_str()?.to_owned()))
}

/// What an event says of a task.
#[derive(Debug, Clone)]
pub struct Sighting {
    pub service: ServiceId,
    /// The service's name for people.
    pub service_name: String,
    pub environment: String,
    pub task: TaskId,
    pub correlation_id: Option<String>,
    pub status: Option<String>,
    pub stage: Option<String>,
    pub event_type: String,
    /// When it happened; now where the event does not say.
    pub at: Option<Micros>,
}

impl Sighting {
    /// As the fragment `search_event` reads it. A text without words says nothing.
    pub(super) fn said(&self) -> String {
        let mut said = json!({
            "service_id": self.service.as_key(), "service_name": self.service_name, "environment": self.environment,
            "task_id": self.task.as_key(), "event_type": self.event_type,
            "detail_path": format!("/studio/tasks/{}/{}", self.service, self.task),
        });
        let optional = [
            ("correlation_id", self.correlation_id.as_deref()),
            ("status", self.status.as_deref()),
            ("stage", self.stage.as_deref()),
        ];
        for (name, value) in optional {
            if let Some(text) = value.map(str::trim).filter(|text| !text.is_empty()) {
                said[name] = text.into();
            }
        }
        if let Some(at) = self.at {
            said["at"] = at.get().to_string().into();
        }
        said.to_string()
    }
}

/// What the search knows of a task. Other clients write these too, so nothing but the two names must be there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskDocument {
    pub service_id: String,
    #[serde(default)]
    pub service_name: Option<String>,
    #[serde(default)]
    pub environment: Option<String>,
    pub task_id: String,
    #[serde(default)]
    pub correlation_id: Option<String>,
    /// What its newest event says.
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub stage: Option<String>,
    #[serde(default)]
    pub first_seen_at: Option<String>,
    #[serde(default)]
    pub last_seen_at: Option<String>,
    #[serde(default)]
    pub latest_event_type: Option<String>,
    #[serde(default)]
    pub latest_event_at: Option<String>,
    #[serde(default)]
    pub latest_ingested_at: Option<String>,
    #[serde(default)]
    pub detail_path: Option<String>,
    #[serde(default)]
    pub expires_at: Option<String>,
    /// `loki_fallback` where the index does not know the task, and the logs of the service do.
    #[serde(default)]
    pub source: Option<String>,
}

impl TaskDocument {
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        match name {
            "service_id" => Some(&self.service_id),
            "task_id" => Some(&self.task_id),
            "correlation_id" => self.correlation_id.as_deref(),
            "status" => self.status.as_deref(),
            "stage" => self.stage.as_deref(),
            "environment" => self.environment.as_deref(),
            _ => None,
        }
    }

    pub(super) fn seen(&self) -> Option<Micros> {
        self.last_seen_at.as_deref().and_then(crate::tasks::moment)
    }
}

/// What the search knows of a service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ServiceDocument {
    pub service_id: String,
    pub name: String,
    pub environment: String,
    #[serde(default)]
    pub tags: Vec<String>,
    pub status: String,
    /// The last verdict on its health; nothing leaves what was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health_status: Option<String>,
    #[serde(default)]
    pub base_url: String,
    #[serde(default)]
    pub auth_mode: String,
    #[serde(default)]
    pub last_seen_at: Option<String>,
}

impl ServiceDocument {
    pub(super) fn field(&self, name: &str) -> Vec<&str> {
        match name {
            "environment" => vec![&self.environment],
            "status" => vec![&self.status],
            "health" => self.health_status.as_deref().into_iter().collect(),
            "tag" => self.tags.iter().map(String::as_str).collect(),
            _ => vec![],
        }
    }

    /// The fields that have a word for each of these beginnings.
    pub(super) fn matched(&self, beginnings: &[String]) -> Vec<String> {
        let fields: [(&str, Vec<&str>); 4] = [
            ("service_id", vec![&self.service_id]),
            ("name", vec![&self.name]),
            ("environment", vec![&self.environment]),
            ("tags", self.tags.iter().map(String::as_str).collect()),
        ];
        let has = |values: &[&str], begin: &String| {
            values.iter().any(|value| words(value).any(|word| word.starts_with(begin.as_str())))
        };
        let all = |values: &[&str]| beginnings.iter().all(|begin| has(values, begin));
        fields.iter().filter(|(_, values)| all(values)).map(|(name, _)| (*name).to_owned()).collect()
    }
}

/// The words of a text, as Relayna takes it apart: letters and digits of ASCII, in lower case.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let words: Vec<String> = lower
        .split(|sign: char| !sign.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.into_iter()
}

/// Which tasks are asked for; all that is given must hold.
#[derive(Debug, Clone, Default)]
pub struct TaskQuery {
    pub service_id: Option<String>,
    pub task_id: Option<String>,
    pub correlation_id: Option<String>,
    pub status: Option<String>,
    pub stage: Option<String>,
    pub environment: Option<String>,
    /// Last seen at this moment or later.
    pub from: Option<Micros>,
    /// Last seen at this moment or earlier.
    pub to: Option<Micros>,
    pub cursor: Option<String>,
    pub limit: usize,
}

impl TaskQuery {
    /// The filters that say something.
    pub(super) fn filters(&self) -> Vec<(&'static str, String)> {
        let all = [
            ("service_id", &self.service_id),
            ("task_id", &self.task_id),
            ("correlation_id", &self.correlation_id),
            ("status", &self.status),
            ("stage", &self.stage),
            ("environment", &self.environment),
        ];
        said(&all)
    }
}

/// Which services are asked for; all that is given must hold, and nothing asks for all of them.
#[derive(Debug, Clone, Default)]
pub struct ServiceQuery {
    /// Words, or the beginnings of words, of its id, name, environment and labels.
    pub query: Option<String>,
    pub environment: Option<String>,
    pub status: Option<String>,
    pub health: Option<String>,
    pub tag: Option<String>,
    pub cursor: Option<String>,
    pub limit: usize,
}

impl ServiceQuery {
    pub(super) fn filters(&self) -> Vec<(&'static str, String)> {
        let all = [
            ("environment", &self.environment),
            ("status", &self.status),
            ("health", &self.health),
            ("tag", &self.tag),
        ];
        said(&all)
    }
}

fn said(all: &[(&'static str, &Option<String>)]) -> Vec<(&'static str, String)> {
    let trimmed = |text: &&Option<String>| text.as_deref().map(|text| text.trim().to_owned());
    let some = all.iter().filter_map(|(name, text)| Some((*name, trimmed(text)?)));
    some.filter(|(_, text)| !text.is_empty()).collect()
}

/// A page of tasks, the last seen first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TaskPage {
    pub count: usize,
    pub items: Vec<TaskDocument>,
    /// Where the next page begins. A page may be short, or empty, and have one: then the search has looked at as many
    /// documents as one call may.
    pub next_cursor: Option<String>,
    /// Whether documents of other clients have still to be taken in, so that some may be missing.
    pub catching_up: bool,
    /// Services whose logs could not be asked, and why, where the index had nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Missing>,
}

/// A service that was found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ServiceHit {
    #[serde(flatten)]
    pub document: ServiceDocument,
    /// The fields that have all the words which were asked for.
    pub matched_fields: Vec<String>,
}

/// A page of services, by name.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ServicePage {
    pub count: usize,
    pub items: Vec<ServiceHit>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
}

/// A place in a walk: the moment and the document after which it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) ms: u64,
    pub(super) id: String,
}

impl Place {
    /// `MOMENT~DOCUMENT`, or a cursor of Relayna's.
    pub(super) fn read(text: &str) -> Option<Self> {
        if let Some((ms, id)) = text.split_once('~') {
            let id = Document::parse(id).ok()?.to_string();
            return Some(Self { ms: ms.parse().ok().filter(|ms| *ms < 1 << 53)?, id });
        }
        let fields: Map<String, Value> = serde_json::from_slice(&URL_SAFE.decode(text).ok()?).ok()?;
        let field = |name: &str| fields.get(name)?.as_str();
        let seen = crate::tasks::moment(field("last_seen_at")?)?;
        let service = ServiceId::parse(field("service_id")?).ok()?;
        let task = TaskId::parse(field("task_id")?).ok()?;
        Some(Self { ms: seen.millis(), id: document(&service, &task).to_string() })
    }

    pub(super) fn written(ms: &str, id: &str) -> String {
        format!("{ms}~{id}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_the_name_that_relayna_gives_it_and_no_two_tasks_share_one() {
        let named = |service: &str, task: &str| {
            document(&ServiceId::parse(service).unwrap(), &TaskId::parse(task).unwrap()).to_string()
        };
        assert_eq!(
            named("payments-api", "task-123"),
            "eyJzZXJ2aWNlX2lkIjoicGF5bWVudHMtYXBpIiwidGFza19pZCI6InRhc2stMTIzIn0="
        );
        assert_ne!(named("a-b", "c"), named("a", "b-c"));
        let long = "x".repeat(128);
        assert!(named(&long, &long).len() < 512);
    }

    #[test]
    fn cursors_of_relayna_are_understood_and_nonsense_is_not() {
        let theirs = URL_SAFE.encode(
            r#"{"last_seen_at":"2026-04-06T08:00:00Z","service_id":"payments-api","task_id":"task-123"}"#,
        );
        let place = Place::read(&theirs).unwrap();
        assert_eq!(Place::read(&Place::written(&place.ms.to_string(), &place.id)), Some(place));
        for bad in ["", "x", "~", "5~", "x~eyJ", "5~a:b", "99999999999999999~eyJ"] {
            assert_eq!(Place::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_service_is_matched_by_the_beginnings_of_its_words() {
        let service = ServiceDocument {
            service_id: "payments-api".into(),
            name: "Payments API".into(),
            environment: "prod".into(),
            tags: vec!["core".into()],
            status: "registered".into(),
            health_status: None,
            base_url: String::new(),
            auth_mode: String::new(),
            last_seen_at: None,
        };
        let matched = |text: &str| service.matched(&words(text).collect::<Vec<_>>());
        assert_eq!(matched("PAY ap"), ["service_id", "name"]);
        assert_eq!(matched("cor"), ["tags"]);
        assert!(matched("pay cor").is_empty() && matched("ents").is_empty());
    }
}
