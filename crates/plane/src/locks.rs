//! Who holds what.
//!
//! One API over four kinds of lock: ade's task and resource locks (hashes), reverie's named, project and file locks
//! (strings). What decides is one packed record per lock; the seeds' keys are written in the same script, so that
//! their readers see the truth. A grant carries a fence that only grows; the store refuses a write that names an old one.
//!
//! *Re-entrancy*: an agent that takes a lock it already holds in the same mode gets the same hold again, with its lease
//! renewed; one release frees it. So does one that has all of a project and takes a part of it, and one that waits for a lock
//! with several requests: the first hold that covers the others answers them. *Upgrade*: shared to exclusive waits until the agent is alone, ahead of the queue, and
//! keeps its shared hold meanwhile; two that upgrade at once are a deadlock, and one of them is told so. *Downgrade*:
//! exclusive to shared is granted at once, and waiting readers follow.

mod fsck;
mod guard;
mod keys;
mod model;
mod oversight;
mod resource;
mod rings;
mod script;
mod settings;
mod together;
mod upkeep;
mod wait;
mod waker;

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Error, ErrorKind, Result};

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};
pub use fsck::invariants;
pub use guard::{GUARDED, Written};
pub use model::{Acquire, Grant, Hold, Holder, Mode, Request, Shown, Waiter};
pub use resource::Resource;
pub(crate) use script::Scripts;
pub(crate) use settings::Settings;
pub(crate) use together::Together;
pub(crate) use waker::Waker;

/// Places of a line that one look shows.
const PLACES: usize = 200;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Locks<'p> {
    plane: &'p Plane,
}

impl<'p> Locks<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Extends a hold; `None` for as long as it was taken for.
    pub async fn renew(
        &self,
        on: &Resource,
        agent: &AgentId,
        epoch: Option<u64>,
        fence: u64,
        ttl: Option<Duration>,
    ) -> Result<Outcome<Grant>> {
        let keys = self.plane.keys();
        let list = [keys.quorate().agent(agent)];
        let settings = self.plane.lock_settings().await?;
        let ttl = ttl.map(|ttl| settings.clamp(ttl));
        let args = [
            Arg::from(on.lock_ref()),
            Arg::from(agent.as_key()),
            Arg::from(epoch.map(|epoch| epoch.to_string()).unwrap_or_default()),
            Arg::from(fence.to_string()),
            Arg::from(ttl.map_or(0, millis)),
        ];
        let reply: Reply =
            self.plane.store().repeatable().run(&self.plane.lock_scripts().renew, &list, &args).await?;
        Ok(self.plane.late(grant(reply.expect("renewed")?)?).await)
    }

    /// How often a hold with this lifetime is to be renewed: three times in it, and as often as the deployment says.
    pub async fn renew_every(&self, ttl: Option<Duration>) -> Result<Duration> {
        let settings = self.plane.lock_settings().await?;
        let lifetime = settings.clamp(ttl.unwrap_or(settings.default_ttl));
        Ok((lifetime / 3).min(settings.heartbeat))
    }

    /// Gives a lock back.
    pub async fn release(&self, on: &Resource, agent: &AgentId, fence: u64) -> Result<Outcome<()>> {
        let list = keys::release(self.plane.keys(), on);
        let detect = self.plane.lock_settings().await?.detect;
        let words = [
            on.lock_ref(),
            agent.as_key().to_owned(),
            fence.to_string(),
            i64::from(detect).to_string(),
            self.plane.waker_here().to_owned(),
        ];
        let reply = together::release(self.plane, together::Giving { keys: list, words }).await?;
        let outcome = self.plane.late(reply.expect("released")?).await;
        Ok(outcome.map(|words| self.plane.woken_here(&words)))
    }

    /// Passes on what an agent held, if it may no longer hold anything; how many holds, and how many are left.
    pub async fn release_agent(&self, agent: &AgentId) -> Result<(u64, u64)> {
        let keys = self.plane.keys();
        let list = [keys.quorate().agent_leases(), keys.ade().agent_capacity(agent)];
        let detect = self.plane.lock_settings().await?.detect;
        let args = [Arg::from(agent.as_key()), Arg::from(100_i64), Arg::from(i64::from(detect))];
        let reply: Reply = self
            .plane
            .store()
            .repeatable()
            .run(&self.plane.lock_scripts().release_agent, &list, &args)
            .await?;
        match reply.expect("released")? {
            Outcome::Done(words) => Ok((number(words.first()), number(words.get(1)))),
            Outcome::Refused(refusal) => Err(undecodable(&refusal.code)),
        }
    }

    /// Who holds a lock and who waits for it.
    pub async fn show(&self, on: &Resource, waiters: usize) -> Result<Shown> {
        let mut shown = self.show_page(on, 0, waiters).await?;
        let places = usize::try_from(shown.waiting + shown.given_up).unwrap_or_default();
        for start in (PLACES..places).step_by(PLACES) {
            let left = waiters.saturating_sub(shown.waiters.len());
            if left == 0 {
                break;
            }
            let next = self.show_page(on, start, left).await?;
            shown.waiting = shown.waiting.saturating_sub(next.given_up);
            shown.waiters.extend(next.waiters);
        }
        Ok(shown)
    }

    async fn show_page(&self, on: &Resource, start: usize, waiters: usize) -> Result<Shown> {
        let seed = on.seed_key(self.plane.keys());
        let seed = Arg::from(seed.as_str().to_owned());
        let args = [Arg::from(on.lock_ref()), seed, Arg::from(start), Arg::from(waiters)];
        let value: quorate_store::Value =
            self.plane.store().run(&self.plane.lock_scripts().inspect, &keys::NONE, &args).await?;
        Shown::read(on, value).ok_or_else(|| undecodable("inspect"))
    }
}

fn grant(outcome: Outcome<Vec<String>>) -> Result<Outcome<Grant>> {
    match outcome {
        Outcome::Done(words) => {
            let request = words.get(2).map_or("", String::as_str);
            Grant::read(&words, request).map(Outcome::Done).ok_or_else(|| undecodable("renewed"))
        }
        Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
    }
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "locks", what)
}

pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn number(text: Option<&String>) -> u64 {
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}
