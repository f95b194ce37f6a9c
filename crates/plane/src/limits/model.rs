//! What the capability speaks of.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use quorate_catalog::ids::{Endpoint, UserId};
use quorate_store::Micros;
use schemars::JsonSchema;
use serde::Serialize;

/// The longest window.
pub const MAX_WINDOW: Duration = Duration::from_secs(30 * 86_400);
/// The highest limit, and the highest cost.
pub const MAX_LIMIT: u64 = 1_000_000_000;

/// How much within which time: `100/1m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    pub limit: u64,
    pub window: Duration,
}

impl Rule {
    pub(super) fn fault(&self) -> Option<String> {
        if self.limit == 0 || self.limit > MAX_LIMIT {
            return Some(format!("a limit is from 1 to {MAX_LIMIT}"));
        }
        if self.window < Duration::from_millis(1) || self.window > MAX_WINDOW {
            return Some("a window is from 1ms to 30d".to_owned());
        }
        None
    }

    pub(super) fn window_ms(&self) -> u64 {
        u64::try_from(self.window.as_millis()).unwrap_or(u64::MAX)
    }
}

/// One of the limits that a request falls under, and how much it takes from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    pub endpoint: Endpoint,
    pub user: UserId,
    pub cost: u64,
    /// Instead of what is configured for the endpoint.
    pub rule: Option<Rule>,
}

impl Wish {
    pub fn new(endpoint: Endpoint, user: UserId) -> Self {
        Self { endpoint, user, cost: 1, rule: None }
    }
}

/// As people type it: `ENDPOINT/USER`, or `ENDPOINT/USER*COST`.
impl FromStr for Wish {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (endpoint, rest) = text.split_once('/').ok_or("use ENDPOINT/USER, as in tasks:create/alice")?;
        let (user, cost) = rest.split_once('*').unwrap_or((rest, "1"));
        let cost = cost.parse().ok().filter(|cost| (1..=MAX_LIMIT).contains(cost));
        Ok(Self {
            endpoint: Endpoint::parse(endpoint).map_err(|bad| bad.to_string())?,
            user: UserId::parse(user).map_err(|bad| bad.to_string())?,
            cost: cost.ok_or_else(|| format!("a cost is from 1 to {MAX_LIMIT}"))?,
            rule: None,
        })
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.endpoint, self.user)
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    pub allowed: bool,
    /// When it was decided.
    pub at: Micros,
    pub limits: Vec<Standing>,
}

impl Verdict {
    /// The limit that keeps the request longest, or would let the least more through.
    pub fn tightest(&self) -> Option<&Standing> {
        let waits = |one: &&Standing| one.retry_after_ms.map_or(u64::MAX, |ms| ms);
        let refused = self.limits.iter().filter(|one| !one.fits).max_by_key(waits);
        refused
            .or_else(|| self.limits.iter().filter(|one| one.limit.is_some()).min_by_key(|one| one.remaining))
    }
}

/// How a request stands with one limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Standing {
    pub name: String,
    pub fits: bool,
    /// Absent where nothing is configured: then everything fits.
    pub limit: Option<u64>,
    pub window_ms: u64,
    pub used: u64,
    /// Absent where there is no limit.
    pub remaining: Option<u64>,
    /// After which time it would fit; 0 for now, absent for never.
    pub retry_after_ms: Option<u64>,
    /// After which time nothing of it is used.
    pub reset_after_ms: u64,
}

impl Standing {
    pub(super) fn read(name: String, words: &[String]) -> Option<Self> {
        let number = |at: usize| words.get(at)?.parse::<i64>().ok();
        let whole = |at: usize| number(at).and_then(|number| u64::try_from(number).ok());
        let limit = whole(1).filter(|limit| *limit > 0);
        Some(Self {
            name,
            fits: number(0)? == 1,
            limit,
            window_ms: whole(2)?,
            used: whole(3)?,
            remaining: limit.and(whole(4)),
            retry_after_ms: whole(5),
            reset_after_ms: whole(6).unwrap_or(0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_read_as_it_is_typed() {
        let wish: Wish = "tasks:create/alice*3".parse().unwrap();
        assert_eq!((wish.to_string().as_str(), wish.cost), ("tasks:create/alice", 3));
        for bad in
            ["tasks:create", "/a", "x/", "x/a*0", "x/a*-1", "x/a*1e9", "lock:acquire/a", "x/a:b", "x/{a}"]
        {
            assert!(bad.parse::<Wish>().is_err(), "{bad}");
        }
    }
}
