//! An event of a service: as it comes in, checked and known by a name, and as it is read back, whoever wrote it.

use quorate_catalog::ids::{DedupeKey, ServiceId, TaskId};
use quorate_catalog::rule::encode;
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::json::Object;
use crate::search::Sighting;
use crate::tasks::{moment, token};

/// Longest type, id or cursor, in bytes.
const NAME_MAX: usize = 256;

/// How an event came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IngestMethod {
    Push,
    Pull,
}

/// Where an event comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Status,
    Observation,
}

impl Source {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Observation => "observation",
        }
    }
}

/// An event that is to be taken in.
#[derive(Debug, Clone)]
pub struct Ingest {
    pub(super) service: ServiceId,
    pub(super) task: TaskId,
    pub(super) source: Source,
    pub(super) at: Option<Micros>,
    pub(super) time: String,
    pub(super) name: DedupeKey,
    open: String,
    kind: String,
    correlation: Option<String>,
    status: Option<String>,
    stage: Option<String>,
}

impl Ingest {
    /// An event as a service offers it. What nobody here knows is left out, as the seed's backend does; the payload is kept as
    /// it was written.
    pub fn of(service: &ServiceId, how: IngestMethod, event: &Object) -> Result<Self, String> {
        let task = TaskId::parse(&need(event, "task_id")?).map_err(|why| format!("task_id: {why}"))?;
        let kind = need(event, "event_type")?;
        let source: Source = serde_json::from_value(need(event, "source_kind")?.into())
            .map_err(|_| "source_kind is neither status nor observation")?;
        let time = event.text("timestamp")?.unwrap_or_default();
        let at = match time.trim() {
            "" => None,
            text => Some(moment(text).ok_or("timestamp is no moment in ISO 8601 since 1970")?),
        };
        let payload = event.get("payload").filter(|_| event.says("payload")).unwrap_or("{}");
        if !payload.starts_with('{') {
            return Err("payload is no object".to_owned());
        }
        let event_id = text(event, "event_id")?;
        let known =
            Known { service, source, task: &task, kind: &kind, time: event.get("timestamp"), payload };
        let name = known.name(event_id.as_deref(), text(event, "cursor")?.as_deref())?;
        let plain = |value: Option<String>| Json::from(value).to_string();
        let open = format!(
            "{{\"service_id\":{},\"ingest_method\":{},\"dedupe_key\":{},\"task_id\":{},\"event_type\":{},\"source_kind\":\"{}\",\"component\":{},\"timestamp\":{},\"event_id\":{},\"correlation_id\":{},\"parent_task_id\":{},\"payload\":{payload}",
            Json::from(service.as_key()),
            serde_json::to_string(&how).unwrap_or_default(),
            Json::from(name.as_key()),
            Json::from(task.as_key()),
            Json::from(kind.as_str()),
            source.as_str(),
            plain(text(event, "component")?),
            plain(at.map(|_| time.clone())),
            plain(event_id),
            plain(text(event, "correlation_id")?),
            plain(text(event, "parent_task_id")?),
        );
        if open.len() > crate::json::OBJECT_MAX {
            return Err(format!("it has {} bytes, and {} are the most", open.len(), crate::json::OBJECT_MAX));
        }
        let said: Json = serde_json::from_str(payload).unwrap_or_default();
        let word = |value: &Json| value.as_str().map(str::to_owned);
        Ok(Self {
            service: service.clone(),
            at,
            time: time.trim().to_owned(),
            name,
            open,
            correlation: text(event, "correlation_id")?.or_else(|| word(&said["correlation_id"])),
            // A task has the status that its events report; what was merely seen of it is none.
            status: (source == Source::Status).then(|| status(&said, &kind)).flatten(),
            stage: word(&said["stage"]).or_else(|| word(&said["meta"]["stage"])),
            task,
            source,
            kind,
        })
    }

    /// What it says of its task, for the search; the registry knows the name of its service.
    pub(super) fn sighting(&self) -> Sighting {
        Sighting {
            service: self.service.clone(),
            service_name: String::new(),
            environment: String::new(),
            task: self.task.clone(),
            correlation_id: self.correlation.clone(),
            status: self.status.clone(),
            stage: self.stage.clone(),
            event_type: self.kind.clone(),
            at: self.at,
        }
    }

    /// The event without its last brace: the store adds when it came, and whether it is late.
    pub(super) fn open(&self) -> &str {
        &self.open
    }
}

/// The status that an event reports: what it says, or else what its type is called.
fn status(said: &Json, kind: &str) -> Option<String> {
    said["status"].as_str().or_else(|| kind.strip_prefix("status.")).map(str::to_owned)
}

/// What an event is known by where it has no id.
struct Known<'e> {
    service: &'e ServiceId,
    source: Source,
    task: &'e TaskId,
    kind: &'e str,
    time: Option<&'e str>,
    payload: &'e str,
}

impl Known<'_> {
    /// The seed's names: service, source and id; without an id the cursor and a hash of what it says.
    fn name(&self, id: Option<&str>, cursor: Option<&str>) -> Result<DedupeKey, String> {
        let own = match (id, cursor) {
            (Some(id), _) => spelled(id),
            (None, None) => return Err("it has neither an event_id nor a cursor".to_owned()),
            (None, Some(cursor)) => {
                let document = format!(
                    "{{\"service_id\":{},\"source_kind\":\"{}\",\"task_id\":{},\"event_type\":{},\"timestamp\":{},\"payload\":{}}}",
                    Json::from(self.service.as_key()),
                    self.source.as_str(),
                    Json::from(self.task.as_key()),
                    Json::from(self.kind),
                    self.time.unwrap_or("null"),
                    self.payload,
                );
                format!("{}:{}", spelled(cursor), token(&document))
            }
        };
        let name = format!("{}:{}:{own}", self.service, self.source.as_str());
        DedupeKey::parse(&name).map_err(|why| format!("event_id: {why}"))
    }
}

/// An id as it stands in a key: as it is where it can, so that the seed's clients find it.
fn spelled(id: &str) -> String {
    let words: Vec<_> = id.split(':').map(encode).collect();
    if words.iter().any(|word| word.is_empty()) { encode(id).into_owned() } else { words.join(":") }
}

fn need(event: &Object, field: &str) -> Result<String, String> {
    text(event, field)?.ok_or_else(|| format!("{field} is missing"))
}

fn text(event: &Object, field: &str) -> Result<Option<String>, String> {
    let said = event.text(field)?.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match &said {
        Some(text) if text.len() > NAME_MAX || text.contains(char::is_control) => {
            Err(format!("{field} is longer than {NAME_MAX} bytes, or has control characters"))
        }
        _ => Ok(said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ingest(text: &str) -> Result<Ingest, String> {
        Ingest::of(&ServiceId::parse("pay").unwrap(), IngestMethod::Push, &Object::parse(text).unwrap())
    }

    #[test]
    fn an_event_is_known_by_its_id_or_by_what_it_says() {
        let by_id = ingest(r#"{"task_id":"t","event_type":"x","source_kind":"status","event_id":" e:1 "}"#);
        assert_eq!(by_id.unwrap().name.as_key(), "pay:status:e:1");
        let odd = ingest(r#"{"task_id":"t","event_type":"x","source_kind":"status","event_id":"a::/b%"}"#);
        assert_eq!(odd.unwrap().name.as_key(), "pay:status:a%3A%3A%2Fb%25");
        // hashlib.sha256(json.dumps({...}, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
        let hashed = r#"{"cursor":"c1","task_id":"t","event_type":"status.queued","source_kind":"status","timestamp":null,"payload":{"b":1,"a":"ü"}}"#;
        let name = ingest(hashed).unwrap().name;
        assert_eq!(name.as_key(), format!("pay:status:c1:{HASH}"));
    }

    const HASH: &str = "f7593e51007c849b707395fa37419df30eaf5c8a0ce3bc508fc3bd22832ce1ba";

    #[test]
    fn what_can_never_be_an_event_is_refused() {
        for bad in [
            r#"{}"#,
            r#"{"task_id":"t","event_type":"x","source_kind":"other","event_id":"e"}"#,
            r#"{"task_id":"a:b","event_type":"x","source_kind":"status","event_id":"e"}"#,
            r#"{"task_id":"t","event_type":"x","source_kind":"status"}"#,
            r#"{"task_id":"t","event_type":"x","source_kind":"status","event_id":"e","timestamp":"noon"}"#,
            r#"{"task_id":"t","event_type":"x","source_kind":"status","event_id":"e","payload":[1]}"#,
            r#"{"task_id":"t","event_type":7,"source_kind":"status","event_id":"e"}"#,
        ] {
            assert!(ingest(bad).is_err(), "{bad}");
        }
    }
}
