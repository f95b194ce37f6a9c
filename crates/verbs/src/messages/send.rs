//! `messages send`.

use quorate_catalog::ids::AgentId;

use super::Letter;
use crate::prelude::*;

/// Sends a message to one agent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Send {
    /// Whom it is for.
    pub to: Said<AgentId>,
    #[serde(flatten)]
    pub letter: Letter,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Sent {
    /// `sent`.
    pub outcome: &'static str,
    pub id: String,
    pub to: String,
    /// In ISO 8601.
    pub sent_at: String,
}

impl Verb for Send {
    const ABOUT: About =
        About::new("messages", "send", Method::Post, "/messages", Level::Work, Effect::Hot).by("from");
    type Answer = Sent;

    fn example() -> Value {
        json!({ "to": "worker-2", "from": "worker-1", "text": "the build is green", "kind": "status" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Sent>, Fault> {
        let messages = call.plane.messages().asked(call.request.as_deref());
        let outcome = messages.send(&self.to, &self.letter.outgoing(call)).await?;
        Ok(Verdict::from(outcome).map(|sent| Sent {
            outcome: "sent",
            id: sent.id,
            to: self.to.to_string(),
            sent_at: sent.sent_at.iso(),
        }))
    }
}
