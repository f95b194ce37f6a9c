//! What the capability speaks of.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use quorate_catalog::ids::{AgentId, Priority, QueueNameId, QueueRef, WordId};
use quorate_catalog::{BadName, Key, Keys};
use quorate_store::Micros;
use serde::Serialize;
use tracing::Span;

use crate::trace::Trace;

/// How long a worker has for an item, unless it says otherwise.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(10);
/// Longest lease, and longest wait before an item may be claimed.
pub const MAX_LEASE: Duration = Duration::from_secs(86_400);
/// How often an item is tried that does not say.
pub const DEFAULT_ATTEMPTS: u32 = 5;
/// Most attempts an item may ask for.
pub const MAX_ATTEMPTS: u32 = 1_000;
/// Longest payload, in bytes.
pub const MAX_PAYLOAD: usize = 4 * 1024 * 1024;
/// Most items of one call.
pub const MAX_BATCH: usize = 500;

/// A queue: `high`, `normal`, `low` or `job:NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Queue {
    Task(Priority),
    Job(QueueNameId),
}

impl Queue {
    /// Its name in the plane.
    pub fn name(&self) -> String {
        match self {
            Self::Task(priority) => priority.as_key().to_owned(),
            Self::Job(name) => format!("job:{}", name.as_key()),
        }
    }

    /// The list its seed's clients push to and take from.
    pub(crate) fn list(&self, keys: &Keys) -> Key {
        match self {
            Self::Task(priority) => keys.reverie().task_queue(*priority),
            Self::Job(name) => keys.ade().job_queue(name),
        }
    }

    pub(crate) fn as_ref(&self) -> QueueRef {
        QueueRef::parse(&self.name()).expect("a queue's name is a path")
    }

    /// Which of several is served first.
    pub(super) const fn urgency(&self) -> u8 {
        match self {
            Self::Task(Priority::High) => 0,
            Self::Task(Priority::Normal) | Self::Job(_) => 1,
            Self::Task(Priority::Low) => 2,
        }
    }
}

impl FromStr for Queue {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        match text.strip_prefix("job:") {
            Some(name) => QueueNameId::parse(name).map(Self::Job),
            None => Priority::parse(text).map(Self::Task).map_err(|bad| BadName {
                of: "queue".to_owned(),
                wants: format!("{}, or job:NAME", bad.wants),
                ..bad
            }),
        }
    }
}

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// Something to be done.
#[derive(Debug, Clone, Default)]
pub struct Push {
    pub payload: String,
    /// A second push with the same key gives the same item.
    pub key: Option<String>,
    /// Items of one group are done one after the other, in the order in which they were pushed.
    pub group: Option<String>,
    /// Only an agent with all of these may claim it.
    pub needs: Vec<WordId>,
    /// How long until it may be claimed.
    pub delay: Duration,
    pub max_attempts: Option<u32>,
    /// Refuse it if so many already wait; the deployment may set a lower limit.
    pub max_depth: Option<u64>,
    /// The trace it belongs to.
    pub trace: Option<Trace>,
}

impl Push {
    pub fn new(payload: impl Into<String>) -> Self {
        Self { payload: payload.into(), ..Self::default() }
    }

    /// Whether it can go straight to the seed's list.
    pub(super) fn is_plain(&self) -> bool {
        self.key.is_none() && self.group.is_none() && self.needs.is_empty() && self.delay.is_zero()
    }

    /// What can never be pushed, in one sentence.
    pub(super) fn fault(&self) -> Option<String> {
        let long = |name: &str, text: &Option<String>| {
            let bad = text.as_ref().is_some_and(|text| text.is_empty() || text.len() > 256);
            bad.then(|| format!("a {name} has from 1 to 256 bytes"))
        };
        if self.payload.len() > MAX_PAYLOAD {
            return Some(format!(
                "the payload has {} bytes, and {MAX_PAYLOAD} are the most",
                self.payload.len()
            ));
        }
        if self.max_attempts.is_some_and(|most| !(1..=MAX_ATTEMPTS).contains(&most)) {
            return Some(format!("an item may be tried from 1 to {MAX_ATTEMPTS} times"));
        }
        if self.delay > MAX_LEASE * 366 {
            return Some("it is due in more than a year".to_owned());
        }
        if self.needs.len() > 16 {
            return Some("an item needs at most 16 capabilities".to_owned());
        }
        long("key", &self.key).or_else(|| long("group", &self.group))
    }
}

/// An item that was pushed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pushed {
    pub id: String,
    /// Whether an earlier push with the same key had made it.
    pub known: bool,
}

/// Who claims what.
#[derive(Debug, Clone)]
pub struct Claim {
    pub queues: Vec<Queue>,
    pub agent: AgentId,
    pub epoch: Option<u64>,
    pub lease: Duration,
    /// How long to wait for an item.
    pub wait: Duration,
    pub most: usize,
}

impl Claim {
    pub fn new(queue: Queue, agent: AgentId) -> Self {
        Self { queues: vec![queue], agent, epoch: None, lease: DEFAULT_LEASE, wait: Duration::ZERO, most: 1 }
    }
}

/// What a claim gave.
#[derive(Debug, Clone, Default)]
pub struct Claimed {
    pub items: Vec<Item>,
    /// Every queue that was asked is paused.
    pub paused: bool,
    /// When the first item that is not due yet will be, if one is known.
    pub(crate) next: Option<Duration>,
}

/// An item in the hands of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub id: String,
    pub token: Token,
    /// As it was pushed, byte for byte.
    pub payload: Vec<u8>,
    /// 1 for the first.
    pub attempt: u32,
    pub max_attempts: Option<u32>,
    /// The trace it belongs to.
    pub trace: Option<Trace>,
    pub group: bool,
    pub lease_until: Micros,
}

impl Item {
    /// What somebody does with it, in the trace that it came with; nothing, where it came with none.
    pub fn span(&self, doing: &str) -> Span {
        let Some(trace) = &self.trace else { return Span::none() };
        let queue = self.token.queue.name();
        let span = tracing::info_span!(
            target: "quorate::queues",
            "queue.item",
            otel.name = format!("{doing} {queue}"),
            otel.kind = "consumer",
            messaging.system = "quorate",
            messaging.destination.name = queue,
            messaging.message.id = self.id,
            quorate.attempt = self.attempt,
        );
        trace.adopt(&span);
        span
    }

    /// The payload as text; a foreign client may have pushed something else.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.payload).into_owned()
    }
}

/// What shows that a worker holds an item: `QUEUE.FENCE.CLAIM`. A later claim of the item has a higher fence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Token {
    pub queue: Queue,
    pub fence: u64,
    pub(super) claim: String,
}

impl Token {
    /// Whether the end of its claim concerns others too: a group, a dead letter, an occurrence of a job.
    pub(super) fn concerns_others(&self) -> bool {
        self.claim.ends_with('g')
    }

    /// As the scripts know it.
    pub(super) fn mark(&self) -> String {
        [&*self.fence.to_string(), ".", &self.claim].concat()
    }

    /// As it is said. In one piece: nearly every answer to a worker has one, and a text that is written to grows with each part.
    pub fn text(&self) -> String {
        [&*self.queue.name(), ".", &self.fence.to_string(), ".", &self.claim].concat()
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl FromStr for Token {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || "a token is QUEUE.FENCE.CLAIM, as a claim gave it".to_owned();
        let mut parts = text.rsplitn(4, '.');
        let (place, salt) = (parts.next().ok_or_else(bad)?, parts.next().ok_or_else(bad)?);
        let (fence, queue) = (parts.next().ok_or_else(bad)?, parts.next().ok_or_else(bad)?);
        let digits = place.strip_suffix('g').unwrap_or(place);
        let sound = !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && !salt.is_empty()
            && salt.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !sound || text.len() > 300 {
            return Err(bad());
        }
        let fence = fence.parse().map_err(|_| bad())?;
        Ok(Self { queue: queue.parse().map_err(|_| bad())?, fence, claim: [salt, ".", place].concat() })
    }
}

/// What became of a failed attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nacked {
    /// It comes again at this moment.
    Retry(Micros),
    /// It was the last attempt, and this is its dead letter.
    Dead(String),
    Stale,
}

/// A queue at a glance.
#[derive(Debug, Clone, Serialize)]
pub struct Shown {
    pub queue: String,
    /// Items that may be claimed now.
    pub depth: u64,
    pub in_flight: u64,
    /// Items that are due later.
    pub delayed: u64,
    /// Since when the oldest item waits; unknown where a foreign client pushed it.
    pub oldest_ms: Option<u64>,
    pub paused: Option<String>,
    /// Late answers that were refused.
    pub stale: u64,
    /// Dead letters of this queue.
    pub dead: u64,
    pub claims: Vec<ShownClaim>,
}

/// One claim at a glance.
#[derive(Debug, Clone, Serialize)]
pub struct ShownClaim {
    pub id: String,
    pub agent: String,
    pub attempt: u32,
    pub lease_until: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_and_a_wrong_one_is_refused() {
        for good in ["normal.1763251234567890.0f-1.1", "job:a.b.5.0f-1z.12g"] {
            assert_eq!(good.parse::<Token>().unwrap().to_string(), good);
        }
        for bad in [
            "",
            "normal",
            "normal.1.x",
            "normal.x.0f.1",
            "job:*.1.0f.1",
            "normal.1.0f.x",
            "other.1.0f.1",
            "normal.1.0 f.1",
        ] {
            assert!(bad.parse::<Token>().is_err(), "{bad}");
        }
    }
}
