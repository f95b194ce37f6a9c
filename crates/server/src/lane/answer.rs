//! An answer as it goes over the wire, head and body in one piece.

use std::cell::Cell;
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::to_bytes;
use axum::http::StatusCode;
use axum::response::Response;

thread_local! {
    /// The second of the last answer, and how it is written.
    static DATE: Cell<(u64, [u8; 29])> = const { Cell::new((0, [0; 29])) };
}

pub(super) async fn bytes(response: Response) -> Result<Vec<u8>, axum::Error> {
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await?;
    let mut text = Vec::with_capacity(512 + body.len());
    let reason = parts.status.canonical_reason().unwrap_or("Unknown");
    // Writing to memory does not fail.
    let _ = write!(text, "HTTP/1.1 {} {reason}\r\n", parts.status.as_u16());
    for (name, value) in &parts.headers {
        text.extend_from_slice(name.as_str().as_bytes());
        text.extend_from_slice(b": ");
        text.extend_from_slice(value.as_bytes());
        text.extend_from_slice(b"\r\n");
    }
    if parts.status != StatusCode::NOT_MODIFIED {
        let _ = write!(text, "content-length: {}\r\n", body.len());
    }
    text.extend_from_slice(b"date: ");
    text.extend_from_slice(&date());
    text.extend_from_slice(b"\r\n\r\n");
    text.extend_from_slice(&body);
    Ok(text)
}

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
