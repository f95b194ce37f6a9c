//! How much of what, in which time.

mod check;
mod explain;
mod ls;
mod set;
mod unset;

use std::str::FromStr;

use quorate_plane::limits::{Rule, Standing, Verdict as Found, Wish};

use crate::prelude::*;

pub use check::Check;
pub use explain::Explain;
pub use ls::Ls;
pub use set::{Set, SetTo};
pub use unset::{Unlimited, Unset};

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Check>(),
        Entry::of::<Explain>(),
        Entry::of::<Ls>(),
        Entry::of::<Set>(),
        Entry::of::<Unset>(),
    ]
}

/// How much in which time, as `100/1m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed(pub Rule);

impl FromStr for Allowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (limit, window) = text.split_once('/').ok_or("use N/TIME, as in 100/1m")?;
        let limit = limit.parse().map_err(|_| "the number is missing or too large".to_owned())?;
        Ok(Self(Rule { limit, window: window.parse::<Span>()?.0 }))
    }
}

/// What is asked about.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ask {
    /// Each as ENDPOINT/USER, or ENDPOINT/USER*COST; from 1 to 16 of them.
    pub limits: Vec<Said<Wish>>,
    /// N/TIME instead of what is configured, for all of them.
    #[serde(default)]
    pub rule: Option<Said<Allowed>>,
}

impl Ask {
    fn wishes(&self) -> Vec<Wish> {
        let rule = self.rule.as_ref().map(|rule| rule.0.0);
        self.limits.iter().map(|wish| Wish { rule, ..wish.0.clone() }).collect()
    }
}

/// How limits stand.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Stand {
    /// `allowed` or `explained`.
    pub outcome: &'static str,
    pub allowed: bool,
    /// When it was decided, in ISO 8601.
    pub at: String,
    pub limits: Vec<Standing>,
    /// The limit that keeps the request longest, or would let the least more through.
    pub tightest: Option<String>,
    /// What is left of it.
    pub remaining: Option<u64>,
    pub retry_after_ms: Option<u64>,
    /// In whole seconds, rounded up, as HTTP has it.
    pub retry_after: Option<u64>,
}

impl Stand {
    fn new(outcome: &'static str, found: Found) -> Self {
        let tightest = found.tightest().cloned();
        let wait = tightest.as_ref().filter(|_| !found.allowed).and_then(|one| one.retry_after_ms);
        Self {
            outcome,
            allowed: found.allowed,
            at: found.at.iso(),
            limits: found.limits,
            remaining: tightest.as_ref().and_then(|one| one.remaining),
            tightest: tightest.map(|one| one.name),
            retry_after_ms: wait,
            retry_after: wait.map(|ms| ms.div_ceil(1_000)),
        }
    }
}

/// What an endpoint allows each user.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Ruled {
    pub endpoint: String,
    pub limit: u64,
    pub window_ms: u64,
}

impl Ruled {
    fn new(endpoint: String, rule: Rule) -> Self {
        let window_ms = u64::try_from(rule.window.as_millis()).unwrap_or(u64::MAX);
        Self { endpoint, limit: rule.limit, window_ms }
    }
}
