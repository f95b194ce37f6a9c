//! What a receiver gets: a CloudEvent in JSON, written once and kept until it is taken, so that every attempt is the same.

use std::collections::BTreeMap;

use quorate_store::Micros;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::events::{Entry, Stream};
use crate::trace::Trace;

/// A delivery as it waits on its queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delivery {
    pub(super) webhook: String,
    /// The same for every attempt, so that a receiver can tell a repetition.
    pub(super) id: String,
    pub(super) body: String,
}

/// An event in the words of CloudEvents 1.0.
#[derive(Debug, Serialize)]
struct CloudEvent<'a> {
    specversion: &'static str,
    id: &'a str,
    source: &'a str,
    r#type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a str>,
    time: String,
    datacontenttype: &'static str,
    /// The trace it belongs to, as CloudEvents has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    traceparent: Option<String>,
    data: Box<RawValue>,
}

/// What a webhook is told of an entry.
pub(super) fn of(webhook: &str, stream: Stream, entry: &Entry) -> Delivery {
    let source = stream.name();
    let id = id_of(webhook, &source, &entry.id);
    let trace = entry.field("traceparent").and_then(|parent| Trace::read(parent, None));
    let event = CloudEvent {
        specversion: "1.0",
        id: &id,
        source: &source,
        r#type: name(entry),
        subject: entry.field("source"),
        time: entry.at().iso(),
        datacontenttype: "application/json",
        traceparent: trace.map(|trace| trace.parent().to_owned()),
        data: data(entry),
    };
    Delivery { webhook: webhook.to_owned(), body: text(&event), id }
}

/// One that says nothing.
pub(super) fn trial(webhook: &str, nonce: &str, at: Micros) -> Delivery {
    let id = id_of(webhook, "trial", nonce);
    let data = serde_json::value::to_raw_value(&BTreeMap::from([("webhook", webhook)])).expect("an object");
    let event = CloudEvent {
        specversion: "1.0",
        id: &id,
        source: "quorate",
        r#type: "webhook:test",
        subject: None,
        time: at.iso(),
        datacontenttype: "application/json",
        traceparent: None,
        data,
    };
    Delivery { webhook: webhook.to_owned(), body: text(&event), id }
}

/// The name of an event; a foreign client may have written none.
pub(super) fn name(entry: &Entry) -> &str {
    entry.field("event").unwrap_or("unknown")
}

/// The payload digit by digit as it was published, or all fields of what a foreign client wrote in another form.
fn data(entry: &Entry) -> Box<RawValue> {
    let payload = entry.field("payload").map(str::to_owned);
    let payload = payload.filter(|payload| crate::json::check(payload).is_ok());
    let parsed = payload.and_then(|payload| RawValue::from_string(payload).ok());
    let fields: BTreeMap<&str, &str> =
        entry.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    parsed.unwrap_or_else(|| serde_json::value::to_raw_value(&fields).expect("texts"))
}

fn text(event: &CloudEvent<'_>) -> String {
    serde_json::to_string(event).expect("texts and JSON")
}

fn id_of(webhook: &str, stream: &str, entry: &str) -> String {
    let digest = hex::encode(Sha256::digest(format!("{webhook} {stream} {entry}")));
    format!("msg_{}", &digest[..32])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(fields: &[(&str, &str)]) -> Entry {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Entry { id: "1700000000000-7".to_owned(), deliveries: 1, fields }
    }

    #[test]
    fn a_payload_arrives_digit_by_digit_and_the_id_stays() {
        let whole = entry(&[
            ("event", "task:done"),
            ("payload", r#"{"n":1.10,"big":12345678901234567890123}"#),
            ("source", "a1"),
        ]);
        let one = of("wh-1", Stream::All, &whole);
        assert!(one.body.contains(r#""data":{"n":1.10,"big":12345678901234567890123}"#), "{}", one.body);
        assert!(
            one.body.contains(r#""type":"task:done","subject":"a1","time":"2023-11-14T22:13:20"#),
            "{}",
            one.body
        );
        assert_eq!(one, of("wh-1", Stream::All, &whole));
        assert_ne!(one.id, of("wh-2", Stream::All, &whole).id);
        let foreign = of("wh-1", Stream::All, &entry(&[("a", "b\n\"c"), ("payload", "{no json")]));
        let read: serde_json::Value = serde_json::from_str(&foreign.body).unwrap();
        assert_eq!((&read["type"], &read["data"]["a"]), (&"unknown".into(), &"b\n\"c".into()));
    }
}
