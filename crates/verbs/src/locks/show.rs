//! `locks show`.

use quorate_plane::locks::{self, Resource};

use crate::prelude::*;

/// Shows who holds a lock and who waits for it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// The lock.
    pub lock: Said<Resource>,
    /// Most waiters to list; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Shown {
    pub lock: String,
    /// Of the latest grant.
    pub token: u64,
    /// How many requests wait.
    pub waiting: u64,
    pub holders: Vec<Holder>,
    pub waiters: Vec<Waiter>,
}

/// An agent that has the lock.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Holder {
    pub agent: String,
    /// `exclusive`, `shared`, or the area of a project.
    pub mode: String,
    pub token: u64,
    pub expires_at: String,
    pub acquired_at: String,
    pub purpose: String,
    pub epoch: u64,
    /// Whether the holder's own lease still runs.
    pub living: bool,
}

/// A request that waits.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Waiter {
    pub agent: String,
    pub mode: String,
    pub request: String,
    pub since: String,
    pub deadline: String,
    pub priority: i64,
    pub purpose: String,
}

impl From<&locks::Holder> for Holder {
    fn from(one: &locks::Holder) -> Self {
        Self {
            agent: one.agent.clone(),
            mode: one.mode.clone(),
            token: one.fence,
            expires_at: known(one.expires_at),
            acquired_at: known(one.acquired_at),
            purpose: one.purpose.clone(),
            epoch: one.epoch,
            living: one.living,
        }
    }
}

/// What is not known is said in no words.
fn known(at: quorate_store::Micros) -> String {
    if at.get() == 0 { String::new() } else { at.iso() }
}

impl From<&locks::Waiter> for Waiter {
    fn from(one: &locks::Waiter) -> Self {
        Self {
            agent: one.agent.clone(),
            mode: one.mode.clone(),
            request: one.request.clone(),
            since: one.since.iso(),
            deadline: one.deadline.iso(),
            priority: one.priority,
            purpose: one.purpose.clone(),
        }
    }
}

impl Verb for Show {
    const ABOUT: About = About::new("locks", "show", Method::Get, "/locks/{lock}", Level::Read, Effect::None);
    type Answer = Shown;

    fn example() -> Value {
        json!({ "lock": "name:release" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Shown>, Fault> {
        let shown = call.plane.locks().show(&self.lock, self.limit.map_or(100, Within::count)).await?;
        Ok(Verdict::Done(Shown {
            lock: self.lock.to_string(),
            token: shown.fence,
            waiting: shown.waiting,
            holders: shown.holders.iter().map(Holder::from).collect(),
            waiters: shown.waiters.iter().map(Waiter::from).collect(),
        }))
    }
}
