//! A refusal on the command line: an answer on stdout, a sentence for people, and the exit code that fits.

use quorate_plane::{Outcome, Refusal};
use quorate_verbs::{Refused, Verdict};
use serde::Serialize;
use serde_json::Value;

use crate::failure::Exit;
use crate::out::{Answer, View};

/// The answer to what a verb was asked: its document, and what `view` shows of it to people; or the refusal.
pub(crate) fn told<T: Serialize>(verdict: Verdict<T>, view: impl FnOnce(&T) -> View) -> Answer {
    match verdict {
        Verdict::Done(value) => {
            Answer::new(serde_json::to_value(&value).unwrap_or(Value::Null), view(&value))
        }
        Verdict::Refused(refused) => refusal(&refused),
    }
}

/// The answer for a refusal.
pub(crate) fn refusal(refused: &Refused) -> Answer {
    let word = refused.outcome.replace('_', " ");
    let text = format!("{word}: {} ({})", refused.why.reason, refused.why.next);
    Answer {
        exit: exit(&refused.why.code) as u8,
        ..Answer::new(refused.document(), View::Text(quorate_catalog::text::harmless(&text)))
    }
}

/// The same for what no verb was asked.
pub(crate) fn or<T>(outcome: Outcome<T>, done: impl FnOnce(T) -> Answer) -> Answer {
    match outcome {
        Outcome::Done(value) => done(value),
        Outcome::Refused(refusal) => answer(&refusal, &Value::Null),
    }
}

/// The answer for a refusal; `more` is added to its document.
pub(crate) fn answer(why: &Refusal, more: &Value) -> Answer {
    let more = more.as_object().cloned().unwrap_or_default();
    refusal(&Refused { more, ..Refused::from(why.clone()) })
}

fn exit(code: &str) -> Exit {
    match code {
        "timed_out" => Exit::TimedOut,
        "revoked" | "banned" => Exit::Denied,
        _ if quorate_verbs::status(code) == 404 => Exit::NotFound,
        _ => Exit::Refused,
    }
}
