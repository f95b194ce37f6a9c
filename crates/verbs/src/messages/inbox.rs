//! `messages inbox`.

use quorate_catalog::ids::AgentId;
use quorate_plane::messages;

use crate::prelude::*;

/// Shows what is in an inbox, the oldest first; nothing is changed by looking.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Inbox {
    /// Whose inbox.
    pub agent: Said<AgentId>,
    /// Most messages to show; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
    /// The newest first.
    #[serde(default)]
    pub newest: bool,
}

impl Verb for Inbox {
    const ABOUT: About =
        About::new("messages", "inbox", Method::Get, "/messages/inbox/{agent}", Level::Read, Effect::None)
            .by("agent")
            .also(&[("id", "agent")]);
    type Answer = messages::Inbox;

    fn example() -> Value {
        json!({ "agent": "worker-2", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<messages::Inbox>, Fault> {
        let limit = self.limit.map_or(100, Within::count);
        Ok(call.plane.messages().inbox(&self.agent, limit, self.newest).await?.into())
    }
}
