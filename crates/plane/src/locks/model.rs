//! What the capability speaks of.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_store::{FromRedisValue, Micros, Value};
use serde::Serialize;

use super::Resource;

/// Alone, or with other readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    #[default]
    Exclusive,
    Shared,
}

/// A request for a lock.
#[derive(Debug, Clone)]
pub struct Request {
    /// The same id asked twice is one request.
    pub request: String,
    pub on: Resource,
    pub agent: AgentId,
    pub epoch: Option<u64>,
    pub mode: Mode,
    /// `None` for the deployment's default.
    pub ttl: Option<Duration>,
    pub wait: Duration,
    pub priority: i64,
    pub purpose: String,
    /// Return at once with a place in the queue.
    pub detach: bool,
    /// How long nobody may have the lock if the hold ends without a release: with its agent, or by its own time.
    pub lock_delay: Duration,
    /// Grant only what a replica has acknowledged.
    pub durable: bool,
}

impl Request {
    pub fn new(on: Resource, agent: AgentId) -> Self {
        Self {
            request: crate::random_id(),
            on,
            agent,
            epoch: None,
            mode: Mode::Exclusive,
            ttl: None,
            wait: Duration::ZERO,
            priority: 0,
            purpose: String::new(),
            detach: false,
            lock_delay: Duration::ZERO,
            durable: false,
        }
    }
}

/// What became of a request that was not refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Acquire {
    Granted(Grant),
    Queued {
        request: String,
        position: u64,
    },
    TimedOut,
    /// Agents wait for each other in a ring, and this request was chosen to give way.
    Deadlock {
        cycle: Vec<String>,
    },
}

/// A hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grant {
    /// Grows with every grant of the lock.
    #[serde(rename = "token")]
    pub fence: u64,
    pub expires_at: Micros,
    pub request: String,
    /// The agent had the lock already, and has the same hold now.
    #[serde(skip)]
    pub again: bool,
}

impl Grant {
    pub(super) fn read(words: &[String], request: &str) -> Option<Self> {
        let [fence, until, ..] = words else { return None };
        Some(Self {
            fence: fence.parse().ok()?,
            expires_at: Micros::from_millis(until.parse().ok()?),
            request: request.to_owned(),
            again: words.get(2).is_some_and(|word| word == "again"),
        })
    }
}

/// What an agent holds, as its own list has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hold {
    pub agent: String,
    /// `LOCK MODE`.
    pub member: String,
    pub acquired_at: Micros,
    pub expires_at: Micros,
}

impl Hold {
    pub(super) fn read((agent, member): &(String, String), term: &str) -> Option<Self> {
        let (since, until) = term.split_once(' ')?;
        Some(Self {
            agent: agent.clone(),
            member: member.clone(),
            acquired_at: Micros::new(since.parse().ok()?),
            expires_at: Micros::from_millis(until.parse().ok()?),
        })
    }
}

/// A lock as others see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    pub lock: String,
    pub fence: u64,
    pub waiting: u64,
    /// Places that nobody asks for any more, of those that were looked at.
    #[serde(skip)]
    pub given_up: u64,
    pub holders: Vec<Holder>,
    pub waiters: Vec<Waiter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Holder {
    pub agent: String,
    pub mode: String,
    #[serde(rename = "token")]
    pub fence: u64,
    pub expires_at: Micros,
    pub acquired_at: Micros,
    pub purpose: String,
    pub epoch: u64,
    /// Whether the holder's own lease still runs.
    pub living: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Waiter {
    pub request: String,
    pub agent: String,
    pub mode: String,
    pub since: Micros,
    pub deadline: Micros,
    pub priority: i64,
    pub purpose: String,
}

impl Shown {
    pub(super) fn read(on: &Resource, value: Value) -> Option<Self> {
        let Value::Array(items) = value else { return None };
        let text = |value: &Value| String::from_redis_value(value.clone()).ok();
        let number = |at: usize| text(items.get(at)?)?.parse::<u64>().ok();
        let given_up = number(3)?;
        let mut shown = Self {
            lock: on.lock_ref(),
            fence: number(1)?,
            waiting: number(2)?.saturating_sub(given_up),
            given_up,
            holders: Vec::new(),
            waiters: Vec::new(),
        };
        for item in items.get(4..)?.iter().filter(|item| matches!(item, Value::Array(_))) {
            // Other clients may have written what is no text.
            let words = Vec::<Vec<u8>>::from_redis_value(item.clone()).ok()?;
            let words: Vec<String> =
                words.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
            match words.len() {
                8 => shown.holders.push(Holder::read(&words)?),
                _ => shown.waiters.push(Waiter::read(&words)?),
            }
        }
        Some(shown)
    }
}

impl Holder {
    fn read(words: &[String]) -> Option<Self> {
        let [agent, mode, fence, until, since, purpose, epoch, living] = words else { return None };
        Some(Self {
            agent: agent.clone(),
            mode: mode_name(mode),
            fence: fence.parse().ok()?,
            expires_at: Micros::from_millis(until.parse().ok()?),
            acquired_at: Micros::new(since.parse().ok()?),
            purpose: purpose.clone(),
            epoch: epoch.parse().ok()?,
            living: living == "1",
        })
    }
}

impl Waiter {
    fn read(words: &[String]) -> Option<Self> {
        let [request, agent, mode, since, deadline, priority, purpose] = words else { return None };
        Some(Self {
            request: request.clone(),
            agent: agent.clone(),
            mode: mode_name(mode),
            since: Micros::new(since.parse().ok()?),
            deadline: Micros::from_millis(deadline.parse().ok()?),
            priority: priority.parse().ok()?,
            purpose: purpose.clone(),
        })
    }
}

fn mode_name(mode: &str) -> String {
    match mode {
        "x" => "exclusive".to_owned(),
        "s" => "shared".to_owned(),
        "foreign" => mode.to_owned(),
        area => format!("area {}", area.trim_start_matches("a:")),
    }
}
