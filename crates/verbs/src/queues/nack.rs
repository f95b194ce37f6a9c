//! `queues nack`.

use quorate_plane::Refusal;
use quorate_plane::queues::{self, Token};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::said::{Said, Span};
use crate::{About, Actor, Call, Effect, Fault, Level, Method, Refused, Verb, Verdict};

/// Says that an attempt failed; the item comes again after a while, or goes to the dead letters.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Nack {
    /// The token that the claim gave.
    pub token: Said<Token>,
    #[serde(flatten)]
    pub actor: Actor,
    /// What went wrong.
    #[serde(default)]
    pub error: String,
    /// How long until it comes again; twice as long each time, from 1s to 5m, if it is not said.
    #[serde(default)]
    pub delay: Option<Span>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Nacked {
    /// `retry` or `dead`.
    pub outcome: &'static str,
    pub token: String,
    /// When it comes again, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// Its dead letter, if that was the last attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
}

impl Verb for Nack {
    const ABOUT: About = About::new("queues", "nack", Method::Post, "/queues/nack", Level::Work, Effect::Hot)
        .by("agent")
        .also(&[("reason", "error")]);
    type Answer = Nacked;

    fn example() -> Value {
        json!({ "token": "normal.1763251234567890.0f-1.1", "agent": "worker-1", "error": "no route to host" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Nacked>, Fault> {
        let why = queues::Nack { error: self.error.clone(), delay: self.delay.map(|delay| delay.0) };
        let queues = super::of(call);
        let outcome = queues.nack(&self.actor.agent, self.actor.epoch, &self.token, &why).await?;
        let token = self.token.to_string();
        Ok(match Verdict::from(outcome) {
            Verdict::Refused(refused) => Verdict::Refused(refused),
            Verdict::Done(queues::Nacked::Retry(due)) => {
                Verdict::Done(Nacked { outcome: "retry", token, due: Some(due.iso()), letter: None })
            }
            Verdict::Done(queues::Nacked::Dead(letter)) => {
                Verdict::Done(Nacked { outcome: "dead", token, due: None, letter: Some(letter) })
            }
            Verdict::Done(queues::Nacked::Stale) => Verdict::Refused(
                Refused::new("stale", Refusal::new("stale_claim", None)).with("token", token),
            ),
        })
    }
}
