// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! Keys of Quorate.

use super::ids::{AgentId};
use super::FamilyId;
use crate::space::{Key, Keys};

/// What the plane itself keeps beside the seeds' keys.
#[derive(Debug, Clone, Copy)]
pub struct Quorate<'k>(&'k Keys);

impl Keys {
    /// What the plane itself keeps beside the seeds' keys.
    pub const fn quorate(&self) -> Quorate<'_> {
        Quorate(self)
    }
}

impl Quorate<'_> {
    /// `~q:quorate:meta` · hash · none: What this deployment is: its layout, its id and the catalog format it was made with.
    pub fn meta(&self) -> Key {
        self.0.join(
            FamilyId::QuorateMeta,
            &["~q:quorate:meta"],
            &["~q:quorate:meta"],
        )
    }

    /// `~q:quorate:answers:<agent>` · hash · ttl 600s, refreshed, maxlen 64: The last answers given to one session, so that a retried request gets its first answer.
    pub fn answers(&self, agent: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateAnswers,
            &["~q:quorate:answers:", agent.as_key()],
            &["~q:quorate:answers:{agent:", agent.as_key(), "}"],
        )
    }

    /// `~q:quorate:restore` · hash · none: A restore that has begun and not ended; while it is here the store is a part of a copy.
    pub fn restore(&self) -> Key {
        self.0.join(
            FamilyId::QuorateRestore,
            &["~q:quorate:restore"],
            &["~q:quorate:restore"],
        )
    }
}
