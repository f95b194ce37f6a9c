//! An answer as it goes over the wire, head and body in one piece.

use std::cell::Cell;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::{StatusCode, header};

use crate::api::Whole;
use crate::door::SAFE;

thread_local! {
    /// The second of the last answer, and how it is written.
    static DATE: Cell<(u64, [u8; 29])> = const { Cell::new((0, [0; 29])) };
}

/// Writes an answer; gives whether the connection may go on after it.
pub(super) fn write(response: &Whole, text: &mut Vec<u8>) -> bool {
    let (status, headers, body) = (response.status(), response.headers(), response.body());
    let mut put = |piece: &[u8]| text.extend_from_slice(piece);
    put(b"HTTP/1.1 ");
    put(status.as_str().as_bytes());
    put(b" ");
    put(status.canonical_reason().unwrap_or("Unknown").as_bytes());
    for (name, value) in headers {
        put(b"\r\n");
        put(name.as_str().as_bytes());
        put(b": ");
        put(value.as_bytes());
    }
    for (name, value) in SAFE.iter().filter(|(name, _)| !headers.contains_key(name)) {
        put(b"\r\n");
        put(name.as_str().as_bytes());
        put(b": ");
        put(value.as_bytes());
    }
    // What is not sent because it is known has no length.
    if status != StatusCode::NOT_MODIFIED {
        put(b"\r\ncontent-length: ");
        put(body.len().to_string().as_bytes());
    }
    put(b"\r\ndate: ");
    put(&date());
    put(b"\r\n\r\n");
    put(body);
    !headers.contains_key(header::CONNECTION)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the header says when this machine answered; nothing is decided by it"
)]
fn date() -> [u8; 29] {
    let now = SystemTime::now();
    let second = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (last, text) = DATE.get();
    if last == second {
        return text;
    }
    let text = httpdate::fmt_http_date(now).into_bytes().try_into().unwrap_or(text);
    DATE.set((second, text));
    text
}
