// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! Keys of Skynet Linker.

use super::ids::{AgentId, ChannelName, CollaborationId, SnapshotTime};
use super::FamilyId;
use crate::space::{Key, Keys};

/// Contexts, sessions, messages, presence and snapshots of agents that share one message bus.
#[derive(Debug, Clone, Copy)]
pub struct Skynet<'k>(&'k Keys);

impl Keys {
    /// Contexts, sessions, messages, presence and snapshots of agents that share one message bus.
    pub const fn skynet(&self) -> Skynet<'_> {
        Skynet(self)
    }
}

impl Skynet<'_> {
    /// `presence:<agent_id>` · string · ttl 60s, refreshed: Whether an agent is connected; a missing key means offline.
    pub fn presence(&self, agent_id: &AgentId) -> Key {
        self.0.join(
            FamilyId::SkynetPresence,
            &["presence:", agent_id.as_key()],
            &["presence:{agent:", agent_id.as_key(), "}"],
        )
    }

    /// `context:<agent_id>` · hash · none: What one agent is working on and knows.
    pub fn context(&self, agent_id: &AgentId) -> Key {
        self.0.join(
            FamilyId::SkynetContext,
            &["context:", agent_id.as_key()],
            &["context:{agent:", agent_id.as_key(), "}"],
        )
    }

    /// `context:__global__` · hash · none: What all agents share.
    pub fn global_context(&self) -> Key {
        self.0.join(
            FamilyId::SkynetGlobalContext,
            &["context:__global__"],
            &["context:__global__"],
        )
    }

    /// `session:<session_id>` · hash · none: A session in which several agents work together.
    pub fn session(&self, session_id: &CollaborationId) -> Key {
        self.0.join(
            FamilyId::SkynetSession,
            &["session:", session_id.as_key()],
            &["session:{session:", session_id.as_key(), "}"],
        )
    }

    /// `channel:<channel_name>` · channel · none: Messages to everyone who listens to one channel.
    pub fn channel(&self, channel_name: &ChannelName) -> Key {
        self.0.join(
            FamilyId::SkynetChannel,
            &["channel:", channel_name.as_key()],
            &["channel:{channel:", channel_name.as_key(), "}"],
        )
    }

    /// `history:<agent_id>` · list · maxlen 1000: The last messages that one agent sent or received.
    pub fn history(&self, agent_id: &AgentId) -> Key {
        self.0.join(
            FamilyId::SkynetHistory,
            &["history:", agent_id.as_key()],
            &["history:{agent:", agent_id.as_key(), "}"],
        )
    }

    /// `snapshot:<timestamp>` · string · last 10 kept: The whole state at one moment, for backup.
    pub fn snapshot(&self, timestamp: &SnapshotTime) -> Key {
        self.0.join(
            FamilyId::SkynetSnapshot,
            &["snapshot:", timestamp.as_key()],
            &["snapshot:{snapshot:", timestamp.as_key(), "}"],
        )
    }
}
