//! How a call ended that the store understood: done, or refused with what to do next.

use quorate_plane::{Outcome, Refusal};
use serde_json::{Map, Value, json};

/// What became of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict<T> {
    Done(T),
    Refused(Refused),
}

impl<T> Verdict<T> {
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Self::Done(value) => Verdict::Done(change(value)),
            Self::Refused(refused) => Verdict::Refused(refused),
        }
    }

    /// What becomes of what is done, which may still be a refusal.
    pub fn and_then<U>(self, then: impl FnOnce(T) -> Verdict<U>) -> Verdict<U> {
        match self {
            Self::Done(value) => then(value),
            Self::Refused(refused) => Verdict::Refused(refused),
        }
    }
}

/// The answer that is none of what was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// `refused`, unless the verb has a better word, such as `stale` or `deadlock`.
    pub outcome: &'static str,
    pub why: Refusal,
    /// What the verb adds, such as the ring of a deadlock.
    pub more: Map<String, Value>,
}

impl Refused {
    pub fn new(outcome: &'static str, why: Refusal) -> Self {
        Self { outcome, why, more: Map::new() }
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.more.insert(name.to_owned(), value.into());
        self
    }

    /// The same document on every surface.
    pub fn document(&self) -> Value {
        let why = &self.why;
        let mut document =
            json!({ "outcome": self.outcome, "code": why.code, "reason": why.reason, "next": why.next });
        if let Some(all) = document.as_object_mut() {
            all.extend(why.detail.clone().map(|detail| ("detail".to_owned(), detail.into())));
            all.extend(self.more.clone());
        }
        document
    }

    /// The HTTP status that fits best.
    pub fn status(&self) -> u16 {
        status(&self.why.code)
    }
}

/// Which status a refusal of this code has.
pub fn status(code: &str) -> u16 {
    match code {
        "unregistered" | "no_request" | "no_message" | "no_job" | "no_letter" | "no_group"
        | "unknown_entry" | "no_token" | "no_sign_in" | "no_task" | "no_webhook" | "no_workflow"
        | "no_run" | "no_stage" | "no_join" | "no_service" | "unknown_there" | "unknown_cursor" => 404,
        "revoked" | "banned" | "push_disabled" => 403,
        "rate_limited" | "limited" | "queue_full" | "inbox_full" | "full" | "too_many_counters"
        | "too_many_webhooks" | "too_many_services" | "capacity" | "stage_full" | "too_many_versions" => 429,
        "url_denied" | "bad_payload" | "no_filter" | "bad_config" => 422,
        "service_failed" | "not_offered" | "not_configured" | "source_failed" => 424,
        "store_full" => 503,
        _ => 409,
    }
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Self {
        Self::new("refused", why)
    }
}

impl<T> From<Outcome<T>> for Verdict<T> {
    fn from(outcome: Outcome<T>) -> Self {
        match outcome {
            Outcome::Done(value) => Self::Done(value),
            Outcome::Refused(why) => Self::Refused(why.into()),
        }
    }
}
