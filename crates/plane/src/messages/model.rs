//! What the capability speaks of.

use std::time::Duration;

use quorate_catalog::ids::{AgentId, ThreadId, WordId};
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::json::Object;
use crate::trace::Trace;
use crate::{Outcome, Refusal};

/// Longest text of a message, in bytes.
pub const MAX_BODY: usize = 64 * 1024;
/// Longest subject, and longest word on what was done, in bytes.
pub const MAX_LINE: usize = 1024;
/// The longest time to acknowledge a message.
pub const MAX_ACK: Duration = Duration::from_secs(30 * 86_400);
/// What a message is that does not say.
pub const PLAIN_KIND: &str = "status";

/// A message to be sent.
#[derive(Debug, Clone)]
pub struct Outgoing {
    pub from: AgentId,
    /// The sender's epoch, if it is an agent that has one.
    pub epoch: Option<u64>,
    /// handoff, warn, emergency, status, request, reply, …; the list is open.
    pub kind: WordId,
    pub thread: Option<ThreadId>,
    pub subject: Option<String>,
    pub body: String,
    /// JSON of the sender's own.
    pub blob: Option<Object>,
    /// How long there is time to acknowledge it; after that its sender is told.
    pub ack_within: Option<Duration>,
    /// The trace it belongs to.
    pub trace: Option<Trace>,
}

impl Outgoing {
    pub fn new(from: AgentId, body: impl Into<String>) -> Self {
        let kind = WordId::parse(PLAIN_KIND).expect("a word");
        let body = body.into();
        let (epoch, thread, subject, blob) = (None, None, None, None);
        Self { from, epoch, kind, thread, subject, body, blob, ack_within: None, trace: None }
    }

    /// What can never be sent, in one sentence.
    pub(super) fn fault(&self) -> Option<String> {
        if self.body.len() > MAX_BODY {
            return Some(format!("the text has {} bytes, and {MAX_BODY} are the most", self.body.len()));
        }
        if self.subject.as_ref().is_some_and(|subject| subject.len() > MAX_LINE) {
            return Some(format!("the subject is longer than {MAX_LINE} bytes"));
        }
        let bad = |within: &Duration| *within < Duration::from_millis(1) || *within > MAX_ACK;
        self.ack_within.filter(bad).map(|_| "the time to acknowledge is from 1ms to 30d".to_owned())
    }

    /// The message as JSON without its id and its time, which the store puts before it.
    pub(super) fn fields(&self, to: &AgentId) -> String {
        let mut fields = vec![
            ("from", text(self.from.as_key())),
            ("to", text(to.as_key())),
            ("kind", text(self.kind.as_key())),
        ];
        fields.extend(self.thread.as_ref().map(|thread| ("thread", text(thread.as_key()))));
        fields.extend(self.subject.as_ref().map(|subject| ("subject", text(subject))));
        if let Some(trace) = &self.trace {
            fields.push(("traceparent", text(trace.parent())));
            fields.extend((!trace.state().is_empty()).then(|| ("tracestate", text(trace.state()))));
        }
        fields.push(("body", text(&self.body)));
        fields.extend(self.blob.as_ref().map(|blob| ("blob", blob.to_string())));
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        fields.join(",") + "}"
    }
}

fn text(text: &str) -> String {
    Json::from(text).to_string()
}

/// A message that was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sent {
    pub id: String,
    pub sent_at: Micros,
}

/// What became of a broadcast at one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub to: AgentId,
    pub outcome: Outcome<Sent>,
}

/// What became of one acknowledgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acked {
    pub id: String,
    /// When it was first acknowledged, or why it is not.
    pub outcome: Outcome<Micros>,
}

/// How far a message got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Stored,
    /// A heartbeat told its agent of it.
    Delivered,
    Read,
    Acknowledged,
    /// Its agent said what it did about it.
    Acted,
    /// Another client took it out of the inbox.
    Taken,
}

impl State {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Delivered => "delivered",
            Self::Read => "read",
            Self::Acknowledged => "acknowledged",
            Self::Acted => "acted",
            Self::Taken => "taken",
        }
    }
}

/// A message as its reader sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Message {
    /// Absent for a message of another client that nobody has read yet.
    pub id: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    pub body: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The trace it belongs to, as W3C has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracestate: Option<String>,
    /// As its sender wrote it.
    pub sent_at: Option<String>,
    pub state: State,
    #[serde(flatten)]
    pub ladder: Ladder,
    /// Whether another client wrote it.
    pub foreign: bool,
}

/// When a message reached each rung.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ladder {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_by: Option<String>,
    pub delivered_at: Option<String>,
    pub read_at: Option<String>,
    pub acked_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acted_on: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acted_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalated_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<String>,
}

impl Ladder {
    fn state(&self) -> State {
        match self {
            Self { acted_at: Some(_), .. } => State::Acted,
            Self { acked_at: Some(_), .. } => State::Acknowledged,
            Self { taken_at: Some(_), .. } => State::Taken,
            Self { read_at: Some(_), .. } => State::Read,
            Self { delivered_at: Some(_), .. } => State::Delivered,
            _ => State::Stored,
        }
    }
}

impl Message {
    /// From what `find.lua` tells of one: id, element, and the fields of its record.
    pub(super) fn read(told: &[Vec<u8>]) -> Option<Self> {
        let [id, element, record @ ..] = told else { return None };
        let field = |at: usize| {
            record
                .get(at)
                .map(|text| String::from_utf8_lossy(text).into_owned())
                .filter(|text| !text.is_empty())
        };
        let time = |at: usize| field(at)?.parse().ok().map(|us| Micros::new(us).iso());
        let ladder = Ladder {
            ack_by: time(1),
            delivered_at: time(2),
            read_at: time(3),
            acked_at: time(4),
            acted_on: field(5),
            acted_at: time(6),
            escalated_at: time(7),
            taken_at: time(8),
        };
        let id = Some(String::from_utf8_lossy(id).into_owned()).filter(|id| !id.is_empty());
        let foreign = id.is_none() || field(9).is_some();
        let written = Written::of(element);
        let trace = written.text("traceparent");
        let trace = trace.and_then(|parent| Trace::read(&parent, written.text("tracestate").as_deref()));
        Some(Self {
            from: written.text("from"),
            to: written.text("to"),
            kind: written.text("kind"),
            subject: written.text("subject"),
            blob: written.json("blob"),
            thread: field(10).or_else(|| written.text("thread")),
            tracestate: trace.as_ref().map(|own| own.state().to_owned()).filter(|state| !state.is_empty()),
            traceparent: trace.map(|own| own.parent().to_owned()),
            sent_at: written.text("sent_at"),
            // What has no body is its own body.
            body: written.text("body").unwrap_or_else(|| String::from_utf8_lossy(element).into_owned()),
            state: ladder.state(),
            id,
            ladder,
            foreign,
        })
    }
}

/// What stands in an inbox, if it is a JSON object at all; bytes of other clients are looked at with care.
struct Written(std::collections::HashMap<String, Box<RawValue>>);

impl Written {
    fn of(element: &[u8]) -> Self {
        Self(serde_json::from_slice(element).unwrap_or_default())
    }

    fn json(&self, name: &str) -> Option<Json> {
        self.0.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    /// A text, or a number or the like as it was written.
    fn text(&self, name: &str) -> Option<String> {
        let raw = self.0.get(name)?.get();
        Some(serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned()))
    }
}

/// An inbox, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Inbox {
    /// How many messages are not acknowledged.
    pub waiting: u64,
    /// How many of them were never read.
    pub unread: u64,
    pub messages: Vec<Message>,
}

/// How much is in an inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Count {
    pub agent: String,
    /// How many messages are not acknowledged.
    pub waiting: u64,
    /// How many of them were never read.
    pub unread: u64,
}

/// What a script said of one recipient or one message.
pub(super) fn verdict(word: &str, detail: &str) -> Outcome<Micros> {
    match (word, detail.parse()) {
        ("stored" | "acked", Ok(us)) => Outcome::Done(Micros::new(us)),
        ("full", _) => Outcome::Refused(Refusal::new("inbox_full", Some(detail.to_owned()))),
        _ => {
            let detail = Some(detail.to_owned()).filter(|detail| !detail.is_empty());
            Outcome::Refused(Refusal::new(word, detail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_out_as_it_went_in() {
        for body in ["plain", "", "\0\u{1b}[2J\"\\\n\u{202e}é𝄞", "{\"id\":\"x\"}", "</script>"] {
            let sender = AgentId::parse("a").unwrap();
            let fields = Outgoing::new(sender.clone(), body).fields(&sender);
            let element = format!("{{\"id\":\"m\",\"sent_at\":\"now\",{fields}");
            let told = Message::read(&[b"m".to_vec(), element.into_bytes()]).unwrap();
            assert_eq!((told.body.as_str(), told.state), (body, State::Stored));
        }
    }

    #[test]
    fn what_other_clients_wrote_is_shown_whatever_it_is() {
        let cases: [(&[u8], &str, Option<&str>); 5] = [
            (b"just text", "just text", None),
            (br#"{"from":"b","body":"hi","kind":"warn"}"#, "hi", Some("b")),
            (br#"{"from":7}"#, r#"{"from":7}"#, Some("7")),
            (b"[1,2]", "[1,2]", None),
            (b"\xff\xfe", "\u{fffd}\u{fffd}", None),
        ];
        for (element, body, from) in cases {
            let told = Message::read(&[Vec::new(), element.to_vec()]).unwrap();
            assert_eq!((told.body.as_str(), told.from.as_deref(), told.foreign), (body, from, true));
        }
    }
}
