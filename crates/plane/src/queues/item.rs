//! How an item is written and read: our own form has a fixed order of fields, and anything else is a foreign payload.

use quorate_catalog::ids::QueueRef;
use quorate_store::Micros;
use serde::Deserialize;

use super::model::{Item, Push, Queue, Token};

/// The text of an item after its time, which the script puts before it.
pub(super) fn body(id: &str, push: &Push) -> String {
    let payload = serde_json::Value::from(push.payload.as_str());
    match push.max_attempts {
        Some(most) => format!("\"id\":\"{id}\",\"max\":{most},\"payload\":{payload}}}"),
        None => format!("\"id\":\"{id}\",\"payload\":{payload}}}"),
    }
}

/// Our own form; a foreign one may look like it and is read as far as it does.
#[derive(Debug, Deserialize)]
struct Envelope<'a> {
    id: String,
    max: Option<u32>,
    #[serde(borrow)]
    payload: &'a serde_json::value::RawValue,
}

/// What an element of a queue is: its id, its attempts, its payload.
pub(crate) fn open(element: &[u8]) -> (Option<String>, Option<u32>, Vec<u8>) {
    let ours = element.starts_with(b"{\"at\":") || element.starts_with(b"{\"id\":\"");
    let read = || serde_json::from_slice::<Envelope<'_>>(element).ok().filter(|own| known(&own.id));
    match ours.then(read).flatten() {
        Some(own) => (Some(own.id), own.max, payload(own.payload.get())),
        None => (None, None, element.to_vec()),
    }
}

/// A payload that is text comes out as that text; another one, which a foreign client wrote, as it stands.
fn payload(raw: &str) -> Vec<u8> {
    serde_json::from_str::<String>(raw).map_or_else(|_| raw.into(), String::into_bytes)
}

fn known(id: &str) -> bool {
    QueueRef::parse(id).is_ok()
}

/// An element of the seed's list that was claimed for the first time.
pub(super) fn fresh(token: Token, element: &[u8], ends: u64) -> Item {
    let (own, max_attempts, payload) = open(element);
    Item {
        id: own.unwrap_or_else(|| format!("x{}", token.fence)),
        token,
        payload,
        attempt: 1,
        max_attempts,
        group: false,
        lease_until: Micros::from_millis(ends),
    }
}

/// `QUEUE ENDS CLAIM ATTEMPT ID LANE CLASS LETTER FENCE ELEMENT`, as the scripts give a claimed item.
pub(super) fn read(line: &[u8]) -> Option<Item> {
    let mut rest = line;
    let mut word = || {
        let at = rest.iter().position(|byte| *byte == b' ')?;
        let (word, after) = rest.split_at(at);
        rest = &after[1..];
        std::str::from_utf8(word).ok()
    };
    let queue: Queue = word()?.parse().ok()?;
    let ends: u64 = word()?.parse().ok()?;
    let claim = word()?.to_owned();
    let attempt = word()?.parse().ok()?;
    let (id, lane, _class, _letter) = (word()?, word()?, word()?, word()?);
    let fence: u64 = word()?.parse().ok()?;
    let (own, max_attempts, payload) = open(rest);
    let id = match (id, own) {
        ("-", Some(own)) => own,
        ("-", None) => format!("x{fence}"),
        (given, _) => given.to_owned(),
    };
    Some(Item {
        id,
        token: Token { queue, fence, claim },
        payload,
        attempt,
        max_attempts,
        group: lane.starts_with("g:"),
        lease_until: Micros::from_millis(ends),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_comes_out_byte_for_byte() {
        for text in ["", "plain", "{\"a\": 1.10}", "\"quoted\"", "line\nbreak\u{0}\u{1b}", "é\u{202e}"] {
            let element = format!("{{\"at\":5,{}", body("j1", &Push::new(text)));
            assert_eq!(
                open(element.as_bytes()),
                (Some("j1".into()), None, text.as_bytes().to_vec()),
                "{text}"
            );
        }
    }

    #[test]
    fn anything_else_is_a_foreign_payload() {
        let raw: [&[u8]; 6] = [
            b"",
            b"x",
            b"\xff\x00 ",
            b"{\"id\":5,\"payload\":1}",
            b"{\"at\":1,",
            b"{\"type\":\"lock_cleanup\"}",
        ];
        for element in raw {
            assert_eq!(open(element), (None, None, element.to_vec()));
        }
        let like_ours = b"{\"id\":\"7\",\"payload\":{\"n\":1}}";
        assert_eq!(open(like_ours), (Some("7".into()), None, b"{\"n\":1}".to_vec()));
    }

    #[test]
    fn a_claimed_item_is_read() {
        let item = read(b"normal 1000 0f-1.1 2 - - - - 17 a b\nc").unwrap();
        assert_eq!((item.id.as_str(), item.attempt, item.payload.as_slice()), ("x17", 2, &b"a b\nc"[..]));
        assert_eq!(item.token.to_string(), "normal.17.0f-1.1");
    }
}
