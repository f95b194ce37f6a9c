//! `messages read`.

use quorate_plane::messages;

use crate::prelude::*;

/// Gives an agent its oldest messages and notes that they were read; they stay until they are acknowledged.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Read {
    #[serde(flatten)]
    pub actor: Actor,
    /// Most messages to read; 20 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
    /// Leave out those that were read before and not acknowledged.
    #[serde(default)]
    pub unread: bool,
}

impl Verb for Read {
    const ABOUT: About = About::new(
        "messages",
        "read",
        Method::Post,
        "/messages/inbox/{agent}/read",
        Level::Work,
        Effect::Hot,
    )
    .by("agent")
    .also(&[("id", "agent")]);
    type Answer = messages::Inbox;

    fn example() -> Value {
        json!({ "agent": "worker-2", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<messages::Inbox>, Fault> {
        let limit = self.limit.map_or(20, Within::count);
        let messages = call.plane.messages();
        Ok(messages.read(&self.actor.agent, self.actor.epoch, limit, self.unread).await?.into())
    }
}
