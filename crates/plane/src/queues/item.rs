//! How an item is written and read: our own form has a fixed order of fields, and anything else is a foreign payload.

use quorate_store::Micros;
use serde::Deserialize;

use crate::trace::Trace;

use super::model::{Item, MAX_ATTEMPTS, Push, Queue, Token};

/// The text of an item after its time, which the script puts before it.
pub(super) fn body(id: &str, push: &Push) -> String {
    let payload = serde_json::Value::from(push.payload.as_str());
    let trace = push.trace.as_ref().map(trace_fields).unwrap_or_default();
    match push.max_attempts {
        Some(most) => format!("\"id\":\"{id}\",\"max\":{most},{trace}\"payload\":{payload}}}"),
        None => format!("\"id\":\"{id}\",{trace}\"payload\":{payload}}}"),
    }
}

fn trace_fields(trace: &Trace) -> String {
    let state = match trace.state() {
        "" => String::new(),
        state => format!("\"tracestate\":{},", serde_json::Value::from(state)),
    };
    format!("\"traceparent\":\"{}\",{state}", trace.parent())
}

/// Our own form; a foreign one may look like it and is read as far as it does.
#[derive(Debug, Deserialize)]
struct Envelope<'a> {
    max: Option<u64>,
    traceparent: Option<String>,
    tracestate: Option<String>,
    #[serde(borrow)]
    payload: &'a serde_json::value::RawValue,
}

/// What an element of a queue is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Opened {
    pub(crate) id: Option<String>,
    pub(crate) max_attempts: Option<u32>,
    pub(crate) trace: Option<Trace>,
    pub(crate) payload: Vec<u8>,
}

/// The id is read by the element's first letters, as the scripts do it (`facts.lua`): it must be the same in every attempt.
pub(crate) fn open(element: &[u8]) -> Opened {
    let id = id(element);
    let ours = id.as_ref().and_then(|_| serde_json::from_slice::<Envelope<'_>>(element).ok());
    match ours {
        Some(own) => Opened {
            trace: own.traceparent.and_then(|parent| Trace::read(&parent, own.tracestate.as_deref())),
            id,
            max_attempts: own.max.and_then(most),
            payload: payload(own.payload.get()),
        },
        None => Opened { id, payload: element.to_vec(), ..Opened::default() },
    }
}

fn most(said: u64) -> Option<u32> {
    u32::try_from(said).ok().filter(|most| (1..=MAX_ATTEMPTS).contains(most))
}

/// A payload that is text comes out as that text; another one, which a foreign client wrote, as it stands.
fn payload(raw: &str) -> Vec<u8> {
    serde_json::from_str::<String>(raw).map_or_else(|_| raw.into(), String::into_bytes)
}

fn id(element: &[u8]) -> Option<String> {
    let (rest, after) = match element.strip_prefix(b"{\"at\":") {
        Some(timed) => {
            let digits = timed.iter().take_while(|byte| byte.is_ascii_digit()).count();
            (timed[digits..].strip_prefix(b",\"id\":\"").filter(|_| digits > 0)?, &b"\",\""[..])
        }
        None => (element.strip_prefix(b"{\"id\":\"")?, &b"\",\"payload\":"[..]),
    };
    let (id, rest) = rest.split_at(rest.iter().position(|byte| !allowed(*byte))?);
    let whole = id.first()?.is_ascii_alphanumeric() && rest.starts_with(after);
    whole.then(|| String::from_utf8_lossy(id).into_owned())
}

fn allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._@+:%-".contains(&byte)
}

/// An element of the seed's list that was claimed for the first time.
pub(super) fn fresh(token: Token, element: &[u8], ends: u64) -> Item {
    let own = open(element);
    Item {
        id: own.id.unwrap_or_else(|| format!("x{}", token.fence)),
        token,
        payload: own.payload,
        attempt: 1,
        max_attempts: own.max_attempts,
        trace: own.trace,
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
    let opened = open(rest);
    let id = match (id, opened.id) {
        ("-", Some(own)) => own,
        ("-", None) => format!("x{fence}"),
        (given, _) => given.to_owned(),
    };
    Some(Item {
        id,
        token: Token { queue, fence, claim },
        payload: opened.payload,
        attempt,
        max_attempts: opened.max_attempts,
        trace: opened.trace,
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
            let opened = open(element.as_bytes());
            assert_eq!(
                (opened.id.as_deref(), opened.payload.as_slice()),
                (Some("j1"), text.as_bytes()),
                "{text}"
            );
            assert!(!element.contains("trace"), "what has no trace has no word more");
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
            assert_eq!(open(element), Opened { payload: element.to_vec(), ..Opened::default() });
        }
        let spaced = b"{\"at\":5,\"id\":\"a b\",\"payload\":\"x\"}";
        assert_eq!(open(spaced).id, None, "a record is made of words");
        let like_ours = b"{\"id\":\"7\",\"payload\":{\"n\":1}}";
        let opened = open(like_ours);
        assert_eq!((opened.id.as_deref(), opened.payload.as_slice()), (Some("7"), &b"{\"n\":1}"[..]));
    }

    #[test]
    fn a_trace_comes_out_as_it_went_in() {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        for state in [None, Some("a=1,b=\"x\"")] {
            let trace = Trace::read(parent, state);
            let push = Push { trace: trace.clone(), max_attempts: Some(3), ..Push::new("x") };
            let opened = open(format!("{{\"at\":5,{}", body("j1", &push)).as_bytes());
            assert_eq!((opened.trace, opened.max_attempts), (trace, Some(3)));
        }
    }

    #[test]
    fn a_claimed_item_is_read() {
        let item = read(b"normal 1000 0f-1.1 2 - - - - 17 a b\nc").unwrap();
        assert_eq!((item.id.as_str(), item.attempt, item.payload.as_slice()), ("x17", 2, &b"a b\nc"[..]));
        assert_eq!(item.token.to_string(), "normal.17.0f-1.1");
    }
}
