//! The codes of this server's own problems; those of refusals are the plane's, those of faults the store's.
//!
//! Each has a page in `docs/errors/`, which is also served as the problem's `type`.

use include_dir::{Dir, include_dir};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs/errors");

/// Code, status, what it means, and what to do.
pub const CODES: &[(&str, u16, &str, &str)] = &[
    ("bad_input", 400, "a field is missing, unknown or wrong", "look at field and detail, and send it right"),
    (
        "malformed",
        400,
        "what came is no request of HTTP/1.1",
        "look at what was sent, or what stands in between",
    ),
    (
        "unauthenticated",
        401,
        "no token came along, or none that counts",
        "send one that `quorate tokens create` made",
    ),
    (
        "forbidden",
        403,
        "the token does not have the scope that this needs",
        "use a token with that scope or role",
    ),
    (
        "cross_origin",
        403,
        "a change by cookie came from another site, or from no page at all",
        "use a token, or a page of this server",
    ),
    (
        "other_agent",
        403,
        "the token is bound to another agent",
        "act for the agent that the token is bound to",
    ),
    (
        "not_found",
        404,
        "there is nothing at this address, or of this name",
        "look it up in the list of its noun",
    ),
    ("method", 405, "the address has other methods", "look it up in /api/docs"),
    (
        "not_acceptable",
        406,
        "the request accepts no kind of answer that this address has",
        "accept application/json, and text/event-stream too at /mcp",
    ),
    (
        "slow_head",
        408,
        "the address and headers of the request took longer than ten seconds to arrive",
        "send them at once",
    ),
    (
        "slow_body",
        408,
        "the body took longer than ten seconds to arrive",
        "send it again, in smaller parts if it is long",
    ),
    ("key_busy", 409, "a request with the same Idempotency-Key is under way", "wait a second and repeat it"),
    (
        "answer_too_large",
        409,
        "the request was done, and its answer was too large to be kept for a repetition",
        "read what it changed",
    ),
    ("changed", 412, "what If-Match names is not what is there any more", "read it again and decide anew"),
    ("body_too_large", 413, "the body is longer than ten mebibytes", "send less at once"),
    (
        "media_type",
        415,
        "the body is not plain application/json",
        "send JSON, with that content type and no encoding",
    ),
    ("host", 421, "the request names another host than this machine", "use localhost or 127.0.0.1"),
    (
        "key_reused",
        422,
        "the Idempotency-Key was used for another request",
        "take a new key for a new request",
    ),
    (
        "head_too_large",
        431,
        "the address and headers of the request have more than 32 KiB, or there are more than 100 headers",
        "send less in headers and query; long texts belong in the body",
    ),
    (
        "too_many_streams",
        429,
        "one caller has too many live streams open",
        "close some, or use another token",
    ),
    (
        "fault",
        500,
        "the request ended badly inside this server",
        "repeat it with the same Idempotency-Key, and report it with its request id",
    ),
    ("too_many_connections", 503, "this server is at its cap of connections", "try again in a second"),
    ("read_only", 503, "the store is a replica and takes no writes", "point the plane at its master"),
];

/// The page of a code.
pub(crate) fn page(code: &str) -> Option<&'static str> {
    let name = code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name.then(|| PAGES.get_file(format!("{code}.md"))?.contents_utf8()).flatten()
}
