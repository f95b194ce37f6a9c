//! What the capability speaks of.

use std::collections::HashMap;
use std::time::Duration;

use quorate_catalog::ids::{LoginSessionId, UserId};
use quorate_store::{Micros, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::moment;
use crate::Outcome;
use crate::outcome::{Reply, undecodable};
use crate::tokens::{Caller, Role, Via, iso, iso_or_none, read_agent, read_scopes};

/// The longest life of a one-time code.
pub const MAX_INVITE: Duration = Duration::from_secs(7 * 86_400);

/// What was seen of whoever signs in.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    pub ip: String,
    pub user_agent: String,
}

impl Seen {
    pub(super) fn ip(&self) -> String {
        cut(&self.ip, 64)
    }

    pub(super) fn user_agent(&self) -> String {
        cut(&self.user_agent, 512)
    }
}

/// The beginning of a text, whole characters only.
fn cut(text: &str, most: usize) -> String {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text[..end].to_owned()
}

/// A session that was opened.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct NewSession {
    /// It is nowhere else.
    pub secret: String,
    pub user: UserId,
    pub role: Role,
    /// When it ends at the latest.
    #[serde(serialize_with = "iso")]
    pub expires_at: Micros,
}

/// Whatever is printed for debugging ends in a log.
impl std::fmt::Debug for NewSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSession")
            .field("user", &self.user)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

impl NewSession {
    pub(super) fn read(secret: String, reply: Reply) -> Result<Option<Self>> {
        let words = match reply.expect("opened")? {
            Outcome::Done(words) => words,
            Outcome::Refused(refusal) if refusal.is("no_code") => return Ok(None),
            Outcome::Refused(refusal) => return Err(super::invalid(&refusal.reason)),
        };
        let read = || {
            let [user, role, expires_at] = &words[..] else { return None };
            let (user, role) = (UserId::parse(user).ok()?, role.parse().ok()?);
            Some(Self { secret, user, role, expires_at: moment(expires_at)? })
        };
        read().map(Some).ok_or_else(|| undecodable("opened"))
    }
}

/// Who has a session, from the words of its check.
pub(super) fn caller(session: &LoginSessionId, words: &[String]) -> Option<Caller> {
    let [user, role, scopes, agent, expires_at] = words else { return None };
    Some(Caller {
        name: user.clone(),
        role: role.parse().ok()?,
        scopes: read_scopes(scopes)?,
        agent: read_agent(agent)?,
        via: Via::Session { id: session.as_key().chars().take(16).collect() },
        expires_at: moment(expires_at),
        token: None,
    })
}

/// A session as operators see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SignInInfo {
    /// The hash of its secret, which is no secret.
    pub id: String,
    pub user: String,
    /// The role it has now; none, if its user has none any more.
    pub role: Option<Role>,
    /// Whether a token opened it.
    pub by_token: bool,
    pub created_at: String,
    pub last_active: Option<String>,
    pub ip_address: Option<String>,
    pub user_agent: Option<String>,
    /// When it ends at the latest, if it is ours.
    #[serde(serialize_with = "iso_or_none")]
    #[schemars(with = "Option<String>")]
    pub expires_at: Option<Micros>,
    /// Made by another client; it lets nobody in.
    pub foreign: bool,
}

impl SignInInfo {
    /// From ade's record and ours; none if there is no record.
    pub(super) fn read(
        id: &LoginSessionId,
        shown: &HashMap<String, String>,
        own: &HashMap<String, String>,
    ) -> Option<Self> {
        let text = |name: &str| shown.get(name).filter(|text| !text.is_empty()).cloned();
        Some(Self {
            id: id.to_string(),
            user: shown.get("user_id")?.clone(),
            role: None,
            by_token: own.get("token").is_some_and(|token| !token.is_empty()),
            created_at: text("created_at").unwrap_or_default(),
            last_active: text("last_active"),
            ip_address: text("ip_address"),
            user_agent: text("user_agent"),
            expires_at: own.get("ends_at").and_then(|end| moment(end)),
            foreign: own.is_empty(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!((cut("abc", 2), cut("aé", 2), cut("", 5)), ("ab".into(), "a".into(), String::new()));
    }
}
