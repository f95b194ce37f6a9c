//! A refusal is an answer: the same words on stdout, and an exit code that says what kind of no it is.

use quorate_plane::{Outcome, Refusal};
use serde_json::{Value, json};

use crate::failure::Exit;
use crate::out::{Answer, View, harmless};

/// The answer to a request: what `done` makes of its value, or the refusal.
pub(crate) fn answer<T>(outcome: Outcome<T>, done: impl FnOnce(T) -> Answer) -> Answer {
    match outcome {
        Outcome::Done(value) => done(value),
        Outcome::Refused(refusal) => refused(&refusal),
    }
}

pub(crate) fn refused(refusal: &Refusal) -> Answer {
    let mut json = json!({ "outcome": "refused" });
    if let (Value::Object(all), Value::Object(more)) = (&mut json, json!(refusal)) {
        all.extend(more);
    }
    let text = format!("refused ({}): {}\n  {}", refusal.code, harmless(&refusal.reason), refusal.next);
    Answer { exit: exit(&refusal.code) as u8, ..Answer::new(json, View::Text(text)) }
}

fn exit(code: &str) -> Exit {
    match code {
        "unregistered" => Exit::NotFound,
        "revoked" | "banned" => Exit::Denied,
        _ => Exit::Refused,
    }
}
