//! One text for every spelling of one document, the one that the seed's clients hash: names sorted, `, ` and `: ` between,
//! nothing escaped that need not be. Numbers stay as they were written, however many digits they have.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// The hash by which an event without an id is known.
pub(crate) fn token(document: &str) -> String {
    hex::encode(Sha256::digest(canonical(document)))
}

/// The text; `document` is JSON that was checked before, so it is nested no deeper than a reader goes.
fn canonical(document: &str) -> String {
    let text = document.trim();
    match text.as_bytes().first() {
        Some(b'{') => {
            let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text).unwrap_or_default();
            let field = |(name, value): (String, &RawValue)| {
                format!("{}: {}", serde_json::Value::from(name), canonical(value.get()))
            };
            format!("{{{}}}", fields.into_iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
            format!("[{}]", items.iter().map(|item| canonical(item.get())).collect::<Vec<_>>().join(", "))
        }
        Some(b'"') => {
            let plain: String = serde_json::from_str(text).unwrap_or_default();
            serde_json::Value::from(plain).to_string()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_document_have_one_text_and_one_hash() {
        let one = r#"{"task_id":"t","status":"running","meta":{"b":[1, {"y":1,"x":2}],"a":"\u00e9"}}"#;
        let two = r#"{ "status" : "running", "meta":{"a":"é","b":[1,{"x":2,"y":1}]}, "task_id":"t" }"#;
        let text = r#"{"meta": {"a": "é", "b": [1, {"x": 2, "y": 1}]}, "status": "running", "task_id": "t"}"#;
        assert_eq!((canonical(one), canonical(two)), (text.to_owned(), text.to_owned()));
        assert_eq!(token(one), token(two));
    }

    #[test]
    fn what_differs_only_in_the_fortieth_digit_differs() {
        let long = |last: u8| format!("{{\"n\":1234567890123456789012345678901234567890{last}}}");
        assert_ne!(token(&long(1)), token(&long(2)));
    }

    #[test]
    fn the_hash_is_the_one_that_the_seeds_clients_make() {
        // hashlib.sha256(json.dumps(event, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
        let event = r#"{"status":"running","task_id":"task-1","message":"50 % ü \"x\"","meta":{"n":1.5}}"#;
        assert_eq!(token(event), "32aed5b3609d4f604fe1064e514438561a5adbecb45f67f09824f6d8b31cd038");
    }
}
