//! What is shown of a change: never a secret, and never more than somebody will read.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The longest document that is kept whole, in bytes.
const WHOLE: usize = 16 * 1024;
/// Members whose value is a secret, or would be one in the wrong hands.
const SECRET: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "code",
    "authorization",
    "cookie",
    "credential",
    "private_key",
    "url",
];
/// How secrets of our own begin, wherever they stand.
const PREFIXES: [&str; 3] = [crate::tokens::PREFIX, crate::sign_in::PREFIX, crate::sign_in::CODE_PREFIX];
const GONE: &str = "[redacted]";

/// A document as the trail keeps it.
pub(super) fn shown(value: &Value) -> String {
    let text = redacted(value, false).to_string();
    if text.len() <= WHOLE {
        return text;
    }
    json!({ "bytes": text.len(), "sha256": digest(text.as_bytes()) }).to_string()
}

pub(super) fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn redacted(value: &Value, hide: bool) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), redacted(value, is_secret(name)))).collect()
        }
        Value::Array(items) => items.iter().map(|item| redacted(item, hide)).collect(),
        Value::String(text) if hide && has_credentials(text) => GONE.into(),
        Value::String(text) if signs(text) || PREFIXES.iter().any(|prefix| holds(text, prefix)) => {
            GONE.into()
        }
        other => other.clone(),
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET.iter().any(|word| name == *word || name.ends_with(&format!("_{word}")))
}

/// A refusal's code and an address without a password are no secrets; the words of a program are lower case and short.
fn has_credentials(text: &str) -> bool {
    let is_word = text.len() <= 32 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let is_plain_url = text.contains("://") && !text.contains('@');
    !is_word && !is_plain_url
}

/// Whether the secret of a webhook stands in the text: its prefix, and base64 of as many bytes as one has at least.
fn signs(text: &str) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let prefix = crate::webhooks::PREFIX;
    text.match_indices(prefix)
        .any(|(at, _)| text[at + prefix.len()..].bytes().take_while(letter).count() >= 32)
}

/// Whether a secret of ours stands in the text: its prefix, and as many digits as one has.
fn holds(text: &str, prefix: &str) -> bool {
    text.match_indices(prefix)
        .any(|(at, _)| text[at + prefix.len()..].bytes().take_while(u8::is_ascii_hexdigit).count() >= 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_taken_out_wherever_they_are() {
        let token = crate::secret::new("qt_");
        let value = json!({
            "token": token, "name": "ci", "deep": [{ "Password": "sesame 1", "note": format!("use {token}!") }],
            "hook": "set whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "code": "not_owner", "api_secret": "X9", "url": "redis://:sesame@h/1", "home": "https://example.org",
        });
        let text = shown(&value);
        assert!(
            !text.contains(&token[3..20])
                && !text.contains("sesame")
                && !text.contains("X9")
                && !text.contains("MfKQ"),
            "{text}"
        );
        assert!(
            text.contains("not_owner") && text.contains("\"name\":\"ci\"") && text.contains("example.org")
        );
    }

    #[test]
    fn a_long_document_is_told_by_its_hash() {
        let text = shown(&json!({ "x": "y".repeat(WHOLE) }));
        assert!(text.len() < 200 && text.contains("sha256"), "{text}");
    }
}
