//! The streams of the plane, by the names their systems gave them, and how long each keeps what.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use quorate_catalog::ids::{EventType, StreamRef};
use quorate_catalog::{Key, Keys};

use super::settings::Settings;

/// A stream that groups may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Everything that happens in the mesh.
    All,
    /// Wakes of agents.
    Wake,
    /// Wakes of agents that something outside clocks.
    PseudoagentWake,
    /// What happens to tasks, approvals or locks.
    Ade(EventType),
    /// What the plane and its server report of themselves.
    Environment,
    /// Scrapes of the metrics.
    Scrapes,
    /// Observations that wait to be consolidated.
    Pending,
    /// Observations that failed or were rejected.
    Dead,
}

/// How a stream is kept short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Policy {
    /// Kept for everybody.
    pub(super) keep: u64,
    /// Kept for groups that lag; past it the slowest gives way. 0 for any number.
    pub(super) cap: u64,
    pub(super) group_ttl: Duration,
    pub(super) age: Duration,
    /// Whether an entry is work: it goes when every group has acknowledged it, and never otherwise.
    pub(super) work: bool,
}

impl Stream {
    pub const EVERY: [Self; 10] = [
        Self::All,
        Self::Wake,
        Self::PseudoagentWake,
        Self::Ade(EventType::Task),
        Self::Ade(EventType::Approval),
        Self::Ade(EventType::Lock),
        Self::Environment,
        Self::Scrapes,
        Self::Pending,
        Self::Dead,
    ];

    pub fn key(self, keys: &Keys) -> Key {
        match self {
            Self::All => keys.reverie().events(),
            Self::Wake => keys.reverie().wake_audit(),
            Self::PseudoagentWake => keys.reverie().pseudoagent_wake_audit(),
            Self::Ade(about) => keys.ade().events(about),
            Self::Environment => keys.reverie().environment_log(),
            Self::Scrapes => keys.reverie().scrape_audit(),
            Self::Pending => keys.reverie().pending_observations(),
            Self::Dead => keys.reverie().dead_observations(),
        }
    }

    /// The key without the deployment's namespace: how people and the ledger name the stream.
    pub fn name(self) -> String {
        self.key(&Keys::default()).as_str().to_owned()
    }

    pub(super) fn state(self, keys: &Keys) -> Key {
        keys.quorate().stream_state(&StreamRef::parse(&self.name()).expect("a stream's name is a path"))
    }

    /// Whether anybody may put events on it; the others are written by what they are about.
    pub fn takes_events(self) -> bool {
        matches!(self, Self::All | Self::Ade(_))
    }

    pub(super) fn policy(self, settings: &Settings) -> Policy {
        let work = matches!(self, Self::Pending | Self::Dead);
        Policy {
            keep: if work { 0 } else { settings.keep },
            cap: if work { 0 } else { settings.cap },
            group_ttl: if work { Duration::ZERO } else { settings.group_ttl },
            age: if matches!(self, Self::Ade(_)) { Duration::from_secs(7 * 86_400) } else { Duration::ZERO },
            work,
        }
    }

    /// The last part of its name, where that says enough.
    pub fn short(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Wake => "wake",
            Self::PseudoagentWake => "pseudoagent_wake",
            Self::Ade(about) => about.as_key(),
            Self::Environment => "env",
            Self::Scrapes => "scrapes",
            Self::Pending => "pending",
            Self::Dead => "dead",
        }
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl FromStr for Stream {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::EVERY.into_iter().find(|stream| text == stream.short() || text == stream.name());
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::EVERY.iter().map(|stream| stream.short()).collect();
            format!("there is no such stream; there are {} (or their full names)", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_found_by_its_full_name_and_by_a_short_one() {
        assert_eq!("events:all".parse(), Ok(Stream::All));
        assert_eq!("ade:events:lock".parse(), Ok(Stream::Ade(EventType::Lock)));
        for stream in Stream::EVERY {
            assert_eq!(stream.short().parse(), Ok(stream));
            assert_eq!(stream.name().parse(), Ok(stream));
        }
        assert!("nothing".parse::<Stream>().is_err() && "".parse::<Stream>().is_err());
    }
}
