//! The spans in an answer of a Tempo, in any of the forms in which its versions give them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// A piece of work within a trace.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Span {
    pub trace_id: String,
    pub span_id: String,
    pub parent_span_id: Option<String>,
    pub name: String,
    pub kind: Option<String>,
    /// The service that did it.
    pub service: Option<String>,
    /// What it came from: a service, or a system of messages.
    pub source: Option<String>,
    pub start_time: Option<String>,
    pub end_time: Option<String>,
    pub duration_ms: Option<f64>,
    pub attributes: Map<String, Json>,
    /// Where people see the trace.
    pub backend_url: Option<String>,
    #[serde(skip)]
    begins: u64,
}

/// The first of these names that is there.
fn any<'j>(of: &'j Json, names: &[&str]) -> &'j Json {
    names.iter().map(|name| &of[*name]).find(|value| !value.is_null()).unwrap_or(&Json::Null)
}

fn list(of: &Json) -> impl Iterator<Item = &Json> {
    of.as_array().into_iter().flatten()
}

/// Every span, by its beginning; nothing where the answer has no list of them.
pub(super) fn spans(said: &Json, seen_at: &str) -> Option<Vec<Span>> {
    let names = ["batches", "resourceSpans", "resource_spans"];
    let batches = match any(said, &names) {
        Json::Null => any(&said["trace"], &names),
        found => found,
    };
    if !(batches.is_array() || batches.is_null()) {
        return None;
    }
    let mut all = Vec::new();
    for batch in list(batches) {
        let own = attributes(&batch["resource"]["attributes"]);
        let service = own.get("service.name").or_else(|| own.get("service")).and_then(text);
        let scopes = any(batch, &["scopeSpans", "instrumentationLibrarySpans", "scope_spans"]);
        let found = list(scopes).flat_map(|scope| list(&scope["spans"])).filter(|span| span.is_object());
        all.extend(found.map(|span| read(span, service.as_deref(), seen_at)));
    }
    all.sort_by_key(|span| span.begins);
    Some(all)
}

fn read(said: &Json, service: Option<&str>, seen_at: &str) -> Span {
    let attributes = attributes(&said["attributes"]);
    let begins = number(any(said, &["startTimeUnixNano", "start_time_unix_nano"]));
    let ends = number(any(said, &["endTimeUnixNano", "end_time_unix_nano"]));
    let iso = |at: Option<u64>| at.map(|at| Micros::new(at / 1_000).iso());
    let took = begins.zip(ends).and_then(|(begins, ends)| ends.checked_sub(begins));
    let of = |name: &str| attributes.get(name).and_then(text);
    let source = of("service.name").or_else(|| of("messaging.system")).or_else(|| service.map(str::to_owned));
    #[expect(clippy::cast_precision_loss, reason = "it is shown to people")]
    let took = took.map(|took| took as f64 / 1e6);
    Span {
        trace_id: hexed(any(said, &["traceId", "trace_id"]), 16).unwrap_or_default(),
        span_id: hexed(any(said, &["spanId", "span_id"]), 8).unwrap_or_default(),
        parent_span_id: hexed(any(said, &["parentSpanId", "parent_span_id"]), 8),
        name: text(&said["name"]).unwrap_or_else(|| "unnamed span".to_owned()),
        kind: text(&said["kind"]),
        service: service.map(str::to_owned),
        source,
        start_time: iso(begins),
        end_time: iso(ends),
        duration_ms: took,
        attributes,
        backend_url: Some(seen_at.to_owned()),
        begins: begins.unwrap_or(0),
    }
}

/// A list of keys and values as OpenTelemetry writes it, or an object.
fn attributes(said: &Json) -> Map<String, Json> {
    match said {
        Json::Object(all) => all.clone(),
        _ => list(said).filter_map(|one| Some((text(&one["key"])?, value(&one["value"])))).collect(),
    }
}

/// A value is wrapped in an object that says its type.
fn value(said: &Json) -> Json {
    let kinds = ["stringValue", "intValue", "doubleValue", "boolValue", "arrayValue", "kvlistValue"];
    match any(said, &kinds) {
        Json::Null => said.clone(),
        inner => inner.clone(),
    }
}

fn text(said: &Json) -> Option<String> {
    let text = match said {
        Json::String(text) => text.trim().to_owned(),
        Json::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}

fn number(said: &Json) -> Option<u64> {
    let number = said.as_u64().or_else(|| said.as_str()?.trim().parse().ok());
    number.filter(|number| i64::try_from(*number).is_ok())
}

/// An id in hexadecimal digits; some give it in base64. What is neither stays as it is.
fn hexed(said: &Json, bytes: usize) -> Option<String> {
    let given = text(said)?;
    let lower = given.to_lowercase();
    if lower.len() == bytes * 2 && lower.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Some(lower);
    }
    match STANDARD.decode(&given) {
        Ok(found) if found.len() == bytes => Some(hex::encode(found)),
        _ => Some(given),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn spans_are_read_in_every_form_and_sorted_by_their_beginning() {
        let span = |name: &str, at: &str| {
            json!({ "traceId": "AAECAwQFBgcICQoLDA0ODw==", "spanId": "0001020304050607", "name": name,
            "kind": "SPAN_KIND_SERVER", "startTimeUnixNano": at, "endTimeUnixNano": "1775469601500000000",
            "attributes": [{ "key": "n", "value": { "intValue": "5" } }, { "key": "" }, 7] })
        };
        let own = json!({ "attributes": [{ "key": "service.name", "value": { "stringValue": "pay" } }] });
        let late = span("late", "1775469601000000000");
        for (outer, batches) in [(None, "batches"), (None, "resourceSpans"), (Some("trace"), "resourceSpans")]
        {
            let mut said = json!({ batches: [{ "resource": own, "scopeSpans": [{ "spans": [late, span("early", "1775469600000000000"), 5] }] }, 5] });
            if let Some(outer) = outer {
                said = json!({ outer: said });
            }
            let found = spans(&said, "http://t/x").unwrap();
            let names: Vec<&str> = found.iter().map(|span| span.name.as_str()).collect();
            assert_eq!(names, ["early", "late"], "{batches}");
            let first = &found[0];
            assert_eq!(
                (first.trace_id.as_str(), first.duration_ms),
                ("000102030405060708090a0b0c0d0e0f", Some(1_500.0))
            );
            assert_eq!((first.service.as_deref(), &first.attributes["n"]), (Some("pay"), &json!("5")));
        }
        assert!(spans(&json!({}), "").unwrap().is_empty());
        assert!(spans(&json!({ "batches": "x" }), "").is_none());
    }
}
