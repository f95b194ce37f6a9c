//! What the capability speaks of.

use std::collections::BTreeMap;
use std::time::Duration;

use quorate_catalog::ids::{AgentId, TokenNameId};
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::caller::{read_agent, read_scopes};
use super::{Role, Scope, moment};

/// Most scopes of one token.
pub const MAX_SCOPES: usize = 32;
/// The longest life of a token that has an end.
pub const MAX_TTL: Duration = Duration::from_secs(366 * 86_400);

/// A token to be made.
#[derive(Debug, Clone)]
pub struct NewToken {
    pub name: TokenNameId,
    pub role: Role,
    /// What narrows the role; empty for all that it allows.
    pub scopes: Vec<Scope>,
    /// The agent its holder speaks for, and nobody else.
    pub agent: Option<AgentId>,
    /// How long it lives; until it is revoked, if this is not said.
    pub ttl: Option<Duration>,
    /// Who makes it.
    pub by: String,
}

impl NewToken {
    pub fn new(name: TokenNameId, role: Role, by: impl Into<String>) -> Self {
        Self { name, role, scopes: vec![], agent: None, ttl: None, by: by.into() }
    }

    pub(super) fn fault(&self) -> Option<String> {
        if self.scopes.len() > MAX_SCOPES {
            return Some(format!("a token has at most {MAX_SCOPES} scopes"));
        }
        let short = |ttl: &Duration| *ttl < Duration::from_millis(1) || *ttl > MAX_TTL;
        self.ttl.filter(short).map(|_| "a token lives from 1ms to 366d, or without an end".to_owned())
    }
}

/// A token that was made.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Created {
    pub name: TokenNameId,
    /// The secret. It is nowhere else.
    pub token: String,
    pub role: Role,
    #[serde(serialize_with = "iso")]
    pub created_at: Micros,
    #[serde(serialize_with = "iso_or_none")]
    pub expires_at: Option<Micros>,
}

/// Whatever is printed for debugging ends in a log.
impl std::fmt::Debug for Created {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Created").field("name", &self.name).field("role", &self.role).finish_non_exhaustive()
    }
}

/// A token as operators see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TokenInfo {
    pub name: String,
    pub id: String,
    pub role: Role,
    /// What narrows the role.
    #[schemars(with = "Vec<String>")]
    pub scopes: Vec<Scope>,
    /// The agent it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub agent: Option<AgentId>,
    /// Who made it.
    pub by: String,
    #[serde(serialize_with = "iso")]
    #[schemars(with = "String")]
    pub created_at: Micros,
    #[serde(serialize_with = "iso_or_none")]
    #[schemars(with = "Option<String>")]
    pub expires_at: Option<Micros>,
    /// To a minute.
    #[serde(serialize_with = "iso_or_none")]
    #[schemars(with = "Option<String>")]
    pub last_used: Option<Micros>,
    pub expired: bool,
}

impl TokenInfo {
    pub(super) fn read(fields: &BTreeMap<String, String>, now: Micros) -> Option<Self> {
        let text = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
        let when = |name: &str| moment(text(name)).flatten();
        let expires_at = when("expires_at");
        Some(Self {
            name: fields.get("name")?.clone(),
            id: text("id").to_owned(),
            role: text("role").parse().ok()?,
            scopes: read_scopes(text("scopes"))?,
            agent: read_agent(text("agent"))?,
            by: text("by").to_owned(),
            created_at: when("created_at")?,
            expires_at,
            last_used: when("last_used"),
            expired: expires_at.is_some_and(|end| end <= now),
        })
    }
}

/// A token that was revoked, as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Revoked {
    #[schemars(with = "String")]
    pub name: TokenNameId,
    pub id: String,
    pub role: String,
}

impl Revoked {
    pub(super) fn read(name: &TokenNameId, words: &[String]) -> Option<Self> {
        let [id, role] = words else { return None };
        Some(Self { name: name.clone(), id: id.clone(), role: role.clone() })
    }
}

/// When it was made and when it ends.
pub(super) fn times(words: &[String]) -> Option<(Micros, Option<Micros>)> {
    let [created_at, expires_at] = words else { return None };
    Some((moment(created_at)??, moment(expires_at)?))
}

/// An instant as people read it.
pub(crate) fn iso<S: Serializer>(instant: &Micros, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(instant)
}

pub(crate) fn iso_or_none<S: Serializer>(instant: &Option<Micros>, serializer: S) -> Result<S::Ok, S::Error> {
    match instant {
        Some(instant) => iso(instant, serializer),
        None => serializer.serialize_none(),
    }
}
