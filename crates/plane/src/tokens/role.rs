//! Roles, the levels they reach, and scopes that narrow them.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What somebody may do at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Looks.
    Viewer,
    /// Looks and works: heartbeats, locks, claims, messages.
    Agent,
    /// Works and operates: pauses, replays, revokes.
    Operator,
    /// Looks and decides about approvals.
    Reviewer,
    /// Everything.
    Admin,
}

/// What a route or a tool needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Read,
    Work,
    Operate,
    Review,
    Admin,
}

impl Role {
    pub const ALL: [Self; 5] = [Self::Viewer, Self::Agent, Self::Operator, Self::Reviewer, Self::Admin];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Agent => "agent",
            Self::Operator => "operator",
            Self::Reviewer => "reviewer",
            Self::Admin => "admin",
        }
    }

    /// The levels it reaches.
    pub const fn levels(self) -> &'static [Level] {
        match self {
            Self::Viewer => &[Level::Read],
            Self::Agent => &[Level::Read, Level::Work],
            Self::Operator => &[Level::Read, Level::Work, Level::Operate],
            Self::Reviewer => &[Level::Read, Level::Review],
            Self::Admin => &Level::ALL,
        }
    }

    pub fn allows(self, level: Level) -> bool {
        self.levels().contains(&level)
    }
}

impl Level {
    pub const ALL: [Self; 5] = [Self::Read, Self::Work, Self::Operate, Self::Review, Self::Admin];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Work => "work",
            Self::Operate => "operate",
            Self::Review => "review",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|role| role.as_str() == text);
        known.ok_or_else(|| "a role is viewer, agent, operator, reviewer or admin".to_owned())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|level| level.as_str() == text);
        known.ok_or_else(|| "a level is read, work, operate, review or admin".to_owned())
    }
}

/// One thing a token is good for: `queues:read`, `locks:*`, `*:read`. It never allows more than the role does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    /// None for every noun.
    noun: Option<String>,
    /// None for every level.
    level: Option<Level>,
}

/// The longest noun of a scope.
const NOUN_MAX: usize = 32;

impl Scope {
    pub fn covers(&self, noun: &str, level: Level) -> bool {
        self.noun.as_deref().is_none_or(|own| own == noun) && self.level.is_none_or(|own| own == level)
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || "a scope is NOUN:LEVEL, as in queues:read, locks:* or *:read".to_owned();
        let (noun, level) = text.split_once(':').ok_or_else(bad)?;
        let is_noun = |noun: &str| {
            (1..=NOUN_MAX).contains(&noun.len())
                && noun.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'))
        };
        let noun = match noun {
            "*" => None,
            noun if is_noun(noun) => Some(noun.to_owned()),
            _ => return Err(bad()),
        };
        let level = if level == "*" { None } else { Some(level.parse()?) };
        Ok(Self { noun, level })
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self.level.map_or("*", Level::as_str);
        write!(f, "{}:{level}", self.noun.as_deref().unwrap_or("*"))
    }
}

impl Serialize for Scope {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_reaches_its_levels_and_no_others() {
        let reached = |role: Role| Level::ALL.map(|level| u8::from(role.allows(level)));
        assert_eq!(
            Role::ALL.map(reached),
            [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 0, 0, 1, 0], [1, 1, 1, 1, 1]]
        );
        for role in Role::ALL {
            assert_eq!(role.to_string().parse(), Ok(role));
            assert_eq!(serde_json::json!(role), role.as_str());
        }
        assert!("Admin".parse::<Role>().is_err() && "root".parse::<Role>().is_err());
    }

    #[test]
    fn a_scope_is_a_noun_and_a_level() {
        for text in ["queues:read", "locks:*", "*:read", "*:*", "sign-ins:admin"] {
            assert_eq!(text.parse::<Scope>().unwrap().to_string(), text);
        }
        for bad in ["", "queues", "queues:", ":read", "Queues:read", "queues:all", "a b:read", "q:read:x"] {
            assert!(bad.parse::<Scope>().is_err(), "{bad}");
        }
        let scope: Scope = "queues:read".parse().unwrap();
        assert!(scope.covers("queues", Level::Read));
        assert!(!scope.covers("queues", Level::Work) && !scope.covers("locks", Level::Read));
    }
}
