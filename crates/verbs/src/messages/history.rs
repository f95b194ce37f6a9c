//! `messages history`.

use quorate_catalog::ids::{AgentId, MessageId, ThreadId};
use quorate_plane::Refusal;
use quorate_plane::messages::{MOST, Message, Place};

use crate::prelude::*;

/// Shows what was sent and how far each message got, the newest first: of an agent, of a thread, or one message.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct History {
    /// What this agent sent and received.
    #[serde(default)]
    pub agent: Option<Said<AgentId>>,
    /// The messages of a thread.
    #[serde(default)]
    pub thread: Option<Said<ThreadId>>,
    /// One message.
    #[serde(default)]
    pub message: Option<Said<MessageId>>,
    /// Most messages to show; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Messages {
    pub messages: Vec<Message>,
}

impl History {
    fn place(&self) -> Result<Place, Fault> {
        match (&self.agent, &self.thread, &self.message) {
            (Some(agent), None, None) => Ok(Place::Of(agent.0.clone())),
            (None, Some(thread), None) => Ok(Place::Thread(thread.0.clone())),
            (None, None, Some(message)) => Ok(Place::One(message.0.clone())),
            _ => Err(Fault::bad("agent", "say whose history, or which thread or message, and one of them")),
        }
    }
}

impl Verb for History {
    const ABOUT: About =
        About::new("messages", "history", Method::Get, "/messages/history", Level::Read, Effect::None)
            .by("agent")
            .also(&[("id", "agent")]);
    type Answer = Messages;

    fn example() -> Value {
        json!({ "agent": "worker-2", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Messages>, Fault> {
        let place = self.place()?;
        let limit = self.limit.map_or(100, Within::count);
        // A caller that is bound to an agent reads what that agent takes part in.
        let looked_at = if call.bound.is_some() { MOST } else { limit };
        let mut messages = call.plane.messages().history(&place, looked_at).await?;
        let own = |message: &Message| {
            [&message.from, &message.to].into_iter().flatten().any(|name| call.acts_for(name))
        };
        if call.bound.is_some() && !messages.iter().any(own) {
            messages.clear();
        }
        messages.truncate(limit);
        if messages.is_empty() && matches!(place, Place::One(_)) {
            return Ok(Verdict::Refused(Refusal::new("no_message", None).into()));
        }
        Ok(Verdict::Done(Messages { messages }))
    }
}
