//! Whether what has been read is a whole request for a verb, in its plain form.

use std::mem::MaybeUninit;

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, header};

use crate::api::Sent;
use crate::door::Door;
use crate::verbs::Found;

/// Headers of a plain request; one with more is read by hyper.
const HEADERS: usize = 32;

#[expect(
    clippy::large_enum_variant,
    reason = "it lives for a moment, and a box would cost every request an allocation"
)]
pub(super) enum Read<'d> {
    Whole {
        found: Found<'d>,
        parts: Parts,
        body: Sent,
        length: usize,
    },
    /// It may become one.
    Part,
    /// It is something else.
    Other,
}

pub(super) fn read<'d>(bytes: &[u8], door: &'d Door) -> Read<'d> {
    if bytes.is_empty() {
        return Read::Part;
    }
    let mut room = [const { MaybeUninit::uninit() }; HEADERS];
    let mut request = httparse::Request::new(&mut []);
    match request.parse_with_uninit_headers(bytes, &mut room) {
        Ok(httparse::Status::Complete(head)) => whole(bytes, head, &request, door).unwrap_or(Read::Other),
        Ok(httparse::Status::Partial) => Read::Part,
        Err(_) => Read::Other,
    }
}

/// Nothing where it is not plain.
fn whole<'d>(
    bytes: &[u8],
    head: usize,
    request: &httparse::Request<'_, '_>,
    door: &'d Door,
) -> Option<Read<'d>> {
    let target = request.path.filter(|target| target.starts_with('/') && request.version == Some(1))?;
    let method = Method::from_bytes(request.method?.as_bytes()).ok()?;
    let found = door.find(&method, target.split('?').next().unwrap_or_default())?;
    let length = head.checked_add(body_length(request.headers)?)?;
    if length > super::MOST {
        return None;
    }
    if length > bytes.len() {
        return Some(Read::Part);
    }
    // One piece of memory for all of it: names and values are places in it.
    let own = Bytes::copy_from_slice(&bytes[..length]);
    let place = |part: &[u8]| {
        let at = part.as_ptr() as usize - bytes.as_ptr() as usize;
        own.slice(at..at + part.len())
    };
    let mut headers = HeaderMap::with_capacity(request.headers.len());
    for header in request.headers.iter() {
        let name = HeaderName::from_bytes(header.name.as_bytes()).ok()?;
        headers.append(name, HeaderValue::from_maybe_shared(place(header.value)).ok()?);
    }
    let (mut parts, ()) = Request::new(()).into_parts();
    parts.uri = Uri::from_maybe_shared(place(target.as_bytes())).ok()?;
    (parts.method, parts.headers) = (method, headers);
    Some(Read::Whole { found, parts, body: Sent::Whole(own.slice(head..)), length })
}

/// How long the body is; nothing where a header says that there is more to it than a length.
fn body_length(headers: &[httparse::Header<'_>]) -> Option<usize> {
    let mut length = None;
    for one in headers {
        let is = |name: HeaderName| one.name.eq_ignore_ascii_case(name.as_str());
        match one.name.len() {
            14 if is(header::CONTENT_LENGTH) => {
                let text = std::str::from_utf8(one.value).ok()?;
                let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())??;
                if length.replace(number).is_some() {
                    return None;
                }
            }
            10 if is(header::CONNECTION) && !one.value.eq_ignore_ascii_case(b"keep-alive") => return None,
            17 if is(header::TRANSFER_ENCODING) => return None,
            6 if is(header::EXPECT) => return None,
            7 if is(header::UPGRADE) => return None,
            _ => {}
        }
    }
    Some(length.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::body_length;

    fn length(lines: &[(&str, &str)]) -> Option<usize> {
        let all = lines.iter().map(|(name, value)| httparse::Header { name, value: value.as_bytes() });
        body_length(&all.collect::<Vec<_>>())
    }

    #[test]
    fn only_what_has_one_length_and_nothing_else_about_its_body_is_plain() {
        assert_eq!(length(&[]), Some(0));
        assert_eq!(
            length(&[("Host", "x"), ("CONTENT-LENGTH", "12"), ("Connection", "Keep-Alive")]),
            Some(12)
        );
        for (name, value) in [
            ("transfer-encoding", "chunked"),
            ("Transfer-Encoding", "identity"),
            ("expect", "100-continue"),
            ("upgrade", "h2c"),
            ("connection", "close"),
            ("connection", "keep-alive, upgrade"),
            ("content-length", "5"),
            ("content-length", "6"),
        ] {
            assert_eq!(length(&[("content-length", "5"), (name, value)]), None, "{name}: {value}");
        }
        for bad in ["", "-1", "+1", "5, 5", "0x5", "99999999999999999999", "5 ", "\u{ff15}"] {
            assert_eq!(length(&[("content-length", bad)]), None, "{bad}");
        }
    }
}
