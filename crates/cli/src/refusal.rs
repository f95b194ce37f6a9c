//! A refusal on the command line: an answer on stdout, a sentence for people, and the exit code that fits.

use quorate_plane::{Outcome, Refusal};
use serde_json::{Value, json};

use crate::failure::Exit;
use crate::out::{Answer, View};

/// The answer to a request: what `done` makes of its value, or the refusal.
pub(crate) fn or<T>(outcome: Outcome<T>, done: impl FnOnce(T) -> Answer) -> Answer {
    match outcome {
        Outcome::Done(value) => done(value),
        Outcome::Refused(refusal) => answer(&refusal, &Value::Null),
    }
}

/// The answer for a refusal; `more` is added to its document.
pub(crate) fn answer(refusal: &Refusal, more: &Value) -> Answer {
    let mut document =
        json!({ "outcome": "refused", "code": refusal.code, "reason": refusal.reason, "next": refusal.next });
    if let (Some(all), Some(detail)) = (document.as_object_mut(), &refusal.detail) {
        all.insert("detail".into(), detail.clone().into());
    }
    if let (Some(all), Some(more)) = (document.as_object_mut(), more.as_object()) {
        all.extend(more.clone());
    }
    let text = format!("refused: {} ({})", refusal.reason, refusal.next);
    Answer {
        exit: exit(&refusal.code) as u8,
        ..Answer::new(document, View::Text(quorate_catalog::text::harmless(&text)))
    }
}

fn exit(code: &str) -> Exit {
    match code {
        "unregistered" | "no_message" | "no_job" | "no_letter" | "no_token" => Exit::NotFound,
        "revoked" | "banned" => Exit::Denied,
        _ => Exit::Refused,
    }
}
