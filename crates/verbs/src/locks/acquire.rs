//! `locks acquire`.

use std::time::Duration;

use quorate_plane::locks::{self, Mode, Request, Resource};
use quorate_plane::{Outcome, Plane, Refusal};

use super::Grant;
use crate::prelude::*;

/// Takes one lock, or several all or none.
///
/// With `wait` the answer comes as soon as the lock is yours. Whoever goes away while it waits gives up its place. What is
/// not granted is a refusal: `held`, `timed_out`, `deadlock`, or a rule that forbids it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Acquire {
    /// What to lock: task:ID, resource:TYPE:ID, name:NAME, project:P[:AREA] or file:PATH.
    pub lock: Said<Resource>,
    /// Further locks; all of them are taken, or none.
    #[serde(default)]
    pub locks: Vec<Said<Resource>>,
    #[serde(flatten)]
    pub actor: Actor,
    #[serde(flatten)]
    pub wish: Wish,
    /// Return at once with a place in the queue instead of waiting for it; for one lock.
    #[serde(default)]
    pub detach: bool,
}

/// How a lock is wanted.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Wish {
    /// Share it with other readers; only resource: locks can be shared.
    #[serde(default)]
    pub shared: bool,
    /// How long it lasts without renewal; the deployment's time, 30s, if it is not said.
    #[serde(default)]
    pub ttl: Option<Ttl>,
    /// How long to wait for it.
    #[serde(default)]
    pub wait: Option<Span>,
    /// From 0 to 100; a point is worth a second in the queue.
    #[serde(default)]
    pub priority: Option<Within<0, 100>>,
    /// Why, for people who look.
    #[serde(default)]
    pub purpose: String,
    /// How long nobody may have it if the hold ends without a release; up to a minute.
    #[serde(default)]
    pub lock_delay: Option<Span>,
    /// Grant it only when a replica has it too.
    #[serde(default)]
    pub durable: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Acquired {
    /// All of them are yours.
    Granted {
        /// `granted`.
        outcome: &'static str,
        /// The first.
        #[serde(flatten)]
        first: Grant,
        grants: Vec<Grant>,
        /// Whether a replica has acknowledged all of them, as `durable` asked for.
        durable: bool,
    },
    /// A place in the queue, because `detach` asked for it.
    Queued {
        /// `queued`.
        outcome: &'static str,
        position: u64,
        request: String,
    },
}

impl Wish {
    /// The request for one lock.
    pub fn request(&self, on: &Resource, actor: &Actor) -> Result<Request, Fault> {
        if self.shared && !on.can_be_shared() {
            return Err(Fault::bad("shared", format!("{on} cannot be shared; only resource:TYPE:ID can")));
        }
        if self.purpose.len() > 1_024 {
            return Err(Fault::bad("purpose", "it is longer than 1,024 bytes"));
        }
        let lock_delay = self.lock_delay.map(|delay| delay.0).unwrap_or_default();
        if lock_delay > Duration::from_secs(60) {
            return Err(Fault::bad("lock_delay", "it is longer than 60s"));
        }
        Ok(Request {
            epoch: actor.epoch,
            mode: if self.shared { Mode::Shared } else { Mode::Exclusive },
            ttl: self.ttl.map(|ttl| ttl.0),
            wait: self.wait.map(|wait| wait.0).unwrap_or_default(),
            priority: self.priority.map_or(0, |points| i64::try_from(points.0).unwrap_or(0)),
            purpose: self.purpose.clone(),
            lock_delay,
            durable: self.durable,
            ..Request::new(on.clone(), actor.agent.0.clone())
        })
    }
}

impl Acquire {
    /// The requests it consists of; those of a call that has a name have names.
    pub fn wanted(&self, call: &Call) -> Result<Vec<Request>, Fault> {
        if self.detach && !self.locks.is_empty() {
            return Err(Fault::bad("detach", "it goes with one lock"));
        }
        if self.locks.len() >= 100 {
            return Err(Fault::bad("locks", "at most 100 are taken together"));
        }
        let all = std::iter::once(&self.lock).chain(&self.locks).enumerate();
        all.map(|(place, on)| {
            let mut request = Request { detach: self.detach, ..self.wish.request(on, &self.actor)? };
            if let Some(name) = &call.request {
                request.request = if place == 0 { name.clone() } else { format!("{name}-{place}") };
            }
            Ok(request)
        })
        .collect()
    }
}

/// Places in queues, given up when whoever waits goes away.
struct Places<'w> {
    plane: Plane,
    wanted: &'w [Request],
    armed: bool,
}

impl Drop for Places<'_> {
    fn drop(&mut self) {
        let Some(runtime) = self.armed.then(tokio::runtime::Handle::try_current).and_then(Result::ok) else {
            return;
        };
        let (plane, wanted) = (self.plane.clone(), self.wanted.to_vec());
        runtime.spawn(async move {
            for request in wanted {
                // What cannot be given up now lapses by itself.
                let _ = plane.locks().cancel(&request.on, &request.request).await;
            }
        });
    }
}

impl Verb for Acquire {
    const ABOUT: About =
        About::new("locks", "acquire", Method::Post, "/locks/{lock}/acquire", Level::Work, Effect::Hot)
            .by("agent")
            .later();
    type Answer = Acquired;

    fn example() -> Value {
        json!({ "lock": "name:release", "agent": "worker-1", "ttl": "30s", "wait": "5s", "purpose": "release 1.2" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Acquired>, Fault> {
        let wanted = self.wanted(call)?;
        let mut places = Places { plane: call.plane.clone(), wanted: &wanted, armed: true };
        let outcome = call.plane.locks().acquire_all(&wanted).await;
        places.armed = false;
        Ok(verdict(&wanted, outcome?))
    }
}

/// What became of it; `acquire_all` gives every grant, or the one answer that stood in the way.
pub fn verdict(wanted: &[Request], outcome: Outcome<Vec<locks::Acquire>>) -> Verdict<Acquired> {
    let got = match outcome {
        Outcome::Done(got) => got,
        Outcome::Refused(why) if why.is("held") => {
            let holder = why.detail.clone();
            return Verdict::Refused(Refused::from(why).with("holder", holder));
        }
        Outcome::Refused(why) => return Verdict::Refused(why.into()),
    };
    let mut grants = Vec::new();
    for (request, got) in wanted.iter().zip(got) {
        match got {
            locks::Acquire::Granted(grant) => grants.push(Grant::new(&request.on, &grant)),
            locks::Acquire::Queued { request, position } => {
                return Verdict::Done(Acquired::Queued { outcome: "queued", position, request });
            }
            locks::Acquire::Deadlock { cycle } => {
                let why = Refusal::new("deadlock", Some(cycle.join(", ")));
                return Verdict::Refused(Refused::new("deadlock", why).with("cycle", cycle));
            }
            locks::Acquire::TimedOut => return timed_out(),
        }
    }
    match grants.first().cloned() {
        Some(first) if grants.len() == wanted.len() => {
            let durable = wanted.iter().all(|request| request.durable);
            Verdict::Done(Acquired::Granted { outcome: "granted", first, grants, durable })
        }
        _ => timed_out(),
    }
}

fn timed_out() -> Verdict<Acquired> {
    Verdict::Refused(Refused::new("timed_out", Refusal::new("timed_out", None)))
}
