//! What the capability speaks of.

use std::time::Duration;

use quorate_catalog::ids::Idempotency as Name;
use quorate_store::Value;
use serde_json::json;

/// How long a request under way is taken to be alive.
pub const LEASE: Duration = Duration::from_secs(60);
/// How long an answer is kept.
pub const RETENTION: Duration = Duration::from_secs(86_400);
/// The largest answer that is kept whole.
pub const MAX_BODY: usize = 256 * 1024;
/// The longest key, in bytes.
pub const MAX_KEY: usize = 255;

/// What became of a request that began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It is yours: do it, and then finish or leave the claim.
    Go(Claim),
    /// It is under way elsewhere.
    Busy,
    /// It was done, and this was the answer.
    Known(Kept),
    /// The key belongs to another request.
    Other,
}

/// The right to do a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The request id for the effect: the same for every repeat while the key is kept.
    pub request: String,
    pub(super) name: Name,
    pub(super) claim: String,
}

/// An answer that is given again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub status: u16,
    pub content_type: String,
    pub body: Vec<u8>,
}

impl Kept {
    /// What a repeat gets whose first answer was larger than what is kept.
    fn too_large(status: u16) -> Self {
        let body = json!({
            "type": "about:blank", "title": "the answer is not kept", "status": 409, "code": "answer_too_large",
            "detail": format!("the request was done and answered with {status}; its answer was larger than {MAX_BODY} \
                bytes, which is the most that is kept for a repeat"),
            "next": "read what it changed instead of repeating it",
        });
        Self {
            status: 409,
            content_type: "application/problem+json".to_owned(),
            body: body.to_string().into_bytes(),
        }
    }
}

pub(super) fn begun(name: Name, claim: String, reply: Value) -> Option<Begun> {
    let words: Vec<Vec<u8>> = redis::from_redis_value(reply).ok()?;
    let text = |at: usize| words.get(at).and_then(|word| std::str::from_utf8(word).ok());
    match text(0)? {
        "go" => Some(Begun::Go(Claim { request: text(1)?.to_owned(), name, claim })),
        "busy" => Some(Begun::Busy),
        "other" => Some(Begun::Other),
        "large" => Some(Begun::Known(Kept::too_large(text(1)?.parse().ok()?))),
        "done" => {
            let (status, content_type) = (text(1)?.parse().ok()?, text(2)?.to_owned());
            Some(Begun::Known(Kept { status, content_type, body: words.into_iter().nth(3)? }))
        }
        _ => None,
    }
}
