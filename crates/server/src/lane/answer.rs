//! An answer as it goes over the wire, head and body in one piece.

use std::cell::Cell;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{StatusCode, header};
use axum::response::Response;

use crate::door::SAFE;

thread_local! {
    /// The second of the last answer, and how it is written.
    static DATE: Cell<(u64, [u8; 29])> = const { Cell::new((0, [0; 29])) };
}

/// Writes an answer; gives whether the connection may go on after it.
pub(super) async fn write(response: Response, text: &mut Vec<u8>) -> Result<bool, axum::Error> {
    let (parts, body) = response.into_parts();
    let body = whole(body).await?;
    let mut put = |piece: &[u8]| text.extend_from_slice(piece);
    put(b"HTTP/1.1 ");
    put(parts.status.as_str().as_bytes());
    put(b" ");
    put(parts.status.canonical_reason().unwrap_or("Unknown").as_bytes());
    for (name, value) in &parts.headers {
        put(b"\r\n");
        put(name.as_str().as_bytes());
        put(b": ");
        put(value.as_bytes());
    }
    for (name, value) in SAFE.iter().filter(|(name, _)| !parts.headers.contains_key(name)) {
        put(b"\r\n");
        put(name.as_str().as_bytes());
        put(b": ");
        put(value.as_bytes());
    }
    // What is not sent because it is known has no length.
    if parts.status != StatusCode::NOT_MODIFIED {
        put(b"\r\ncontent-length: ");
        put(body.len().to_string().as_bytes());
    }
    put(b"\r\ndate: ");
    put(&date());
    put(b"\r\n\r\n");
    put(&body);
    Ok(!parts.headers.contains_key(header::CONNECTION))
}

/// The bytes of a body. Those of a verb are all there.
async fn whole(body: Body) -> Result<Bytes, axum::Error> {
    to_bytes(body, usize::MAX).await
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
