//! Whoever asks for something, once it is known who that is.

use quorate_catalog::ids::{AgentId, SecretHash};
use quorate_store::Micros;
use serde::Serialize;

use super::{Level, Role, Scope, moment};

/// Who asks, and what they may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Caller {
    /// The token's name, or the user.
    pub name: String,
    pub role: Role,
    /// What narrows the role; nothing, if it is empty.
    pub scopes: Vec<Scope>,
    /// The agent it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    pub via: Via,
    /// When it ends by itself, at the latest.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "super::iso_or_none")]
    pub expires_at: Option<Micros>,
    /// Under which name the token of a caller by token is kept, so that sessions can hang on it.
    #[serde(skip)]
    pub(crate) token: Option<SecretHash>,
}

/// How it was known who asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Via {
    /// By a bearer token; the id tells it from an earlier one of the same name.
    Token { id: String },
    /// By a session.
    Session { id: String },
    /// By being on the machine, with the store at hand.
    Local,
}

impl std::fmt::Display for Via {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Token { id } => write!(f, "token/{id}"),
            Self::Session { id } => write!(f, "session/{id}"),
            Self::Local => f.write_str("local"),
        }
    }
}

impl Caller {
    /// Somebody on the machine, who has the store at hand and so may do everything.
    pub fn local(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            role: Role::Admin,
            scopes: vec![],
            agent: None,
            via: Via::Local,
            expires_at: None,
            token: None,
        }
    }

    /// Whether the role reaches the level, and a scope, where there are any, covers it for this noun.
    pub fn may(&self, noun: &str, level: Level) -> bool {
        self.role.allows(level)
            && (self.scopes.is_empty() || self.scopes.iter().any(|scope| scope.covers(noun, level)))
    }

    /// Whether it speaks for this agent: anybody not bound to one does; else its own agent and its sub-agents, which
    /// are called `ID-sub-…`.
    pub fn acts_for(&self, agent: &AgentId) -> bool {
        speaks_for(self.agent.as_ref(), agent.as_key())
    }
}

/// Whether whoever is bound to `own`, or to nobody, speaks for an agent.
pub fn speaks_for(own: Option<&AgentId>, agent: &str) -> bool {
    let Some(own) = own else { return true };
    let rest = agent.strip_prefix(own.as_key());
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix("-sub-").is_some_and(|id| !id.is_empty()))
}

/// From the words of a token's record: name, id, role, scopes, agent, end.
pub(super) fn of_token(hash: &SecretHash, words: &[String]) -> Option<Caller> {
    let [name, id, role, scopes, agent, expires_at] = words else { return None };
    Some(Caller {
        name: name.clone(),
        role: role.parse().ok()?,
        scopes: read_scopes(scopes)?,
        agent: read_agent(agent)?,
        via: Via::Token { id: id.clone() },
        expires_at: moment(expires_at)?,
        token: Some(hash.clone()),
    })
}

/// A scope that cannot be read would widen what is allowed if it were left out, so all of them must be.
pub(crate) fn read_scopes(text: &str) -> Option<Vec<Scope>> {
    text.split_whitespace().map(|scope| scope.parse().ok()).collect()
}

/// None if the agent cannot be read: being bound to nobody would widen what is allowed.
pub(crate) fn read_agent(text: &str) -> Option<Option<AgentId>> {
    if text.is_empty() { Some(None) } else { AgentId::parse(text).ok().map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_narrow_and_never_widen() {
        let mut caller = Caller { role: Role::Agent, ..Caller::local("ci") };
        assert!(caller.may("queues", Level::Work) && !caller.may("queues", Level::Operate));
        caller.scopes = vec!["queues:work".parse().unwrap(), "locks:*".parse().unwrap()];
        assert!(caller.may("queues", Level::Work) && !caller.may("queues", Level::Read));
        assert!(caller.may("locks", Level::Read) && !caller.may("locks", Level::Admin));
        assert!(!caller.may("agents", Level::Read));
    }

    #[test]
    fn a_bound_caller_speaks_for_its_agent_and_its_sub_agents() {
        let agent = |name: &str| AgentId::parse(name).unwrap();
        let caller = Caller { agent: Some(agent("a1")), ..Caller::local("ci") };
        for own in ["a1", "a1-sub-1", "a1-sub-x-sub-y"] {
            assert!(caller.acts_for(&agent(own)), "{own}");
        }
        for other in ["a", "a12", "a1-sub-", "a1-sub", "a1-other", "b-sub-a1", "A1"] {
            assert!(!caller.acts_for(&agent(other)), "{other}");
        }
        assert!(Caller::local("x").acts_for(&agent("anybody")));
    }

    #[test]
    fn what_cannot_be_read_lets_nobody_in() {
        let words =
            |scopes: &str, agent: &str| ["ci", "1", "agent", scopes, agent, "0"].map(str::to_owned).to_vec();
        let hash = crate::secret::hash("x");
        assert!(of_token(&hash, &words("queues:read", "a1")).is_some());
        assert!(of_token(&hash, &words("queues:everything", "a1")).is_none());
        assert!(of_token(&hash, &words("queues:read", "a 1")).is_none());
    }
}
