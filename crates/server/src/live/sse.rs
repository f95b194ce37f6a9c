//! The bytes of server-sent events. Ids and data are data: whatever they contain, they end no line and begin no event.

use std::time::Duration;

use axum::body::Bytes;
use serde_json::json;

/// Time after which a client that was cut off comes back, in milliseconds.
pub(crate) const RETRY_MS: u32 = 1_000;

/// One event.
pub(crate) fn event(id: Option<&str>, name: &str, data: &str) -> Bytes {
    let mut text = String::with_capacity(data.len() + 64);
    if let Some(id) = id {
        text.push_str("id: ");
        text.extend(id.chars().filter(|c| !c.is_control()));
        text.push('\n');
    }
    text.push_str("event: ");
    text.push_str(name);
    text.push('\n');
    for line in data.split(['\n', '\r']) {
        text.push_str("data: ");
        text.extend(line.chars().filter(|c| *c != '\0'));
        text.push('\n');
    }
    text.push('\n');
    Bytes::from(text)
}

/// The cursor is not in what is kept, so what came after it may be missing; what is kept is shown from its first on.
pub(crate) fn gap(cursor: &str, first: Option<&str>) -> Bytes {
    let from: String = cursor.chars().take(64).collect();
    event(None, "gap", &json!({ "from": from, "to": first, "reason": "unknown" }).to_string())
}

/// A line that says nothing and keeps proxies from hanging up.
pub(crate) fn keep_alive() -> Bytes {
    Bytes::from_static(b": keep-alive\n\n")
}

/// How long to wait before coming back.
pub(crate) fn retry() -> Bytes {
    Bytes::from(format!("retry: {RETRY_MS}\n\n"))
}

/// The store does not answer: what was sent before is that old, where that is known.
pub(crate) fn away(detail: &str, age: Option<Duration>) -> Bytes {
    let age = age.and_then(|age| u64::try_from(age.as_millis()).ok());
    event(None, "away", &json!({ "detail": detail, "age_ms": age }).to_string())
}

/// The store answers again.
pub(crate) fn back() -> Bytes {
    event(None, "back", "{}")
}

#[cfg(test)]
mod tests {
    use super::event;

    #[test]
    fn hostile_ids_and_data_begin_no_event_of_their_own() {
        let text = event(Some("1-0\nevent: fake"), "entry", "a\r\n\nevent: fake\n\ndata: b\0");
        let text = std::str::from_utf8(&text).unwrap();
        assert!(
            text.lines().all(|line| line.is_empty()
                || ["id: ", "event: entry", "data: "].iter().any(|own| line.starts_with(own))),
            "{text}"
        );
        assert_eq!(text.matches("\n\n").count(), 1);
    }
}
