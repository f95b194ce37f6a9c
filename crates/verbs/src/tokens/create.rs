//! `tokens create`.

use quorate_catalog::ids::AgentId;
use quorate_plane::tokens::{NewToken, Role, Scope, TokenName};

use crate::prelude::*;

/// Makes a bearer token. The answer has it, this once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Create {
    /// What to call it.
    pub name: Said<TokenName>,
    /// viewer, agent, operator, reviewer or admin.
    pub role: Said<Role>,
    /// What narrows the role: NOUN:LEVEL, such as queues:read, locks:* or *:read.
    #[serde(default)]
    pub scopes: Vec<Said<Scope>>,
    /// Speak for this agent and its sub-agents alone.
    #[serde(default)]
    pub agent: Option<Said<AgentId>>,
    /// How long it lives, such as 30d; until it is revoked, if it is not said.
    #[serde(default)]
    pub ttl: Option<Span>,
}

#[derive(Clone, Serialize, JsonSchema)]
pub struct Created {
    /// `created`.
    pub outcome: &'static str,
    pub name: String,
    /// The secret. It is nowhere else.
    pub token: String,
    pub role: String,
    pub scopes: Vec<String>,
    pub agent: Option<String>,
    pub created_at: String,
    pub expires_at: Option<String>,
}

impl Verb for Create {
    const ABOUT: About =
        About::new("tokens", "create", Method::Post, "/tokens", Level::Admin, Effect::Change)
            .of(&["name"])
            .also(&[("scope", "scopes")]);
    type Answer = Created;

    fn example() -> Value {
        json!({ "name": "ci", "role": "agent", "scopes": ["queues:work"], "agent": "worker-1", "ttl": "30d" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Created>, Fault> {
        let wanted = NewToken {
            scopes: self.scopes.iter().map(|scope| scope.0.clone()).collect(),
            agent: self.agent.as_ref().map(|agent| agent.0.clone()),
            ttl: self.ttl.map(|ttl| ttl.0),
            ..NewToken::new(self.name.0.clone(), self.role.0, &call.who)
        };
        let outcome = call.plane.tokens().create(&wanted).await?;
        Ok(Verdict::from(outcome).map(|made| Created {
            outcome: "created",
            name: made.name.to_string(),
            token: made.token,
            role: made.role.to_string(),
            scopes: wanted.scopes.iter().map(ToString::to_string).collect(),
            agent: wanted.agent.map(|agent| agent.to_string()),
            created_at: made.created_at.iso(),
            expires_at: made.expires_at.map(|end| end.iso()),
        }))
    }
}
