//! `messages ack`.

use quorate_catalog::ids::MessageId;
use quorate_plane::{Outcome, messages};

use crate::prelude::*;

/// Acknowledges messages; they leave the inbox.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ack {
    #[serde(flatten)]
    pub actor: Actor,
    /// The messages, from 1 to 1,000.
    pub messages: Vec<Said<MessageId>>,
    /// What was done about them, such as task:12; may be said later too.
    #[serde(default)]
    pub acted_on: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Acked {
    /// `acked`.
    pub outcome: &'static str,
    pub messages: Vec<Acknowledged>,
}

/// What became of one of them.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Acknowledged {
    pub id: String,
    /// `acked` or `refused`.
    pub outcome: &'static str,
    /// When it was first acknowledged, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acked_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl From<&messages::Acked> for Acknowledged {
    fn from(one: &messages::Acked) -> Self {
        let id = one.id.clone();
        match &one.outcome {
            Outcome::Done(when) => {
                Self { id, outcome: "acked", acked_at: Some(when.iso()), code: None, reason: None }
            }
            Outcome::Refused(why) => Self {
                id,
                outcome: "refused",
                acked_at: None,
                code: Some(why.code.clone()),
                reason: Some(why.reason.clone()),
            },
        }
    }
}

impl Verb for Ack {
    const ABOUT: About =
        About::new("messages", "ack", Method::Post, "/messages/inbox/{agent}/ack", Level::Work, Effect::Hot)
            .by("agent")
            .also(&[("id", "agent"), ("message", "messages")]);
    type Answer = Acked;

    fn example() -> Value {
        json!({ "agent": "worker-2", "messages": ["4f3c2b1a"], "acted_on": "task:12" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Acked>, Fault> {
        if self.messages.is_empty() || self.messages.len() > messages::MOST {
            return Err(Fault::bad("messages", "from 1 to 1,000 are acknowledged at once"));
        }
        let ids: Vec<MessageId> = self.messages.iter().map(|id| id.0.clone()).collect();
        let Actor { agent, epoch } = &self.actor;
        let outcome = call.plane.messages().ack(agent, *epoch, &ids, self.acted_on.as_deref()).await?;
        let all = match Verdict::from(outcome) {
            Verdict::Refused(refused) => return Ok(Verdict::Refused(refused)),
            Verdict::Done(all) => all,
        };
        let messages = all.iter().map(Acknowledged::from).collect::<Vec<_>>();
        // The first that was refused decides for all; the others are acknowledged.
        Ok(match all.iter().find_map(|one| one.outcome.refusal()) {
            None => Verdict::Done(Acked { outcome: "acked", messages }),
            Some(why) => Verdict::Refused(Refused::from(why.clone()).with("messages", json!(messages))),
        })
    }
}
