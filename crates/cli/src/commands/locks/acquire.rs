//! `quorate locks acquire RES…`.

use std::time::Duration;

use quorate_plane::locks::{Acquire, Request, Resource};
use quorate_plane::{Outcome, Plane};
use quorate_verbs::locks;
use quorate_verbs::said::{Said, Span, Ttl, Within};

use super::Actor;
use super::ending::Ending;
use crate::ask::{OPERATOR, call};
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal::told;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// What to lock: task:ID, resource:TYPE:ID, name:NAME, project:P[:AREA] or file:PATH.
    #[arg(required = true, value_name = "RES")]
    pub(super) resources: Vec<Resource>,
    #[command(flatten)]
    pub(super) actor: Actor,
    #[command(flatten)]
    pub(super) wish: Wish,
    /// Return at once with a place in the queue instead of waiting for it.
    #[arg(long)]
    detach: bool,
}

/// How a lock is wanted.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Wish {
    /// Share it with other readers; only resource: locks can be shared.
    #[arg(long)]
    shared: bool,
    /// How long it lasts without renewal, cut to the deployment's longest, 1h [default: the deployment's, 30s].
    #[arg(long, value_parser = duration::ttl)]
    pub(super) ttl: Option<Duration>,
    /// How long to wait for it.
    #[arg(long, value_parser = duration::parse, default_value = "0s")]
    wait: Duration,
    /// From 0 to 100; a point is worth a second in the queue.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..=100))]
    priority: i64,
    /// Why, for people who look.
    #[arg(long, default_value = "", hide_default_value = true)]
    purpose: String,
    /// How long nobody may have it if the hold ends without a release; up to a minute, as in `15s`.
    #[arg(long, value_parser = duration::parse, default_value = "0s", hide_default_value = true)]
    lock_delay: Duration,
    /// Grant it only when a replica has it too.
    #[arg(long)]
    durable: bool,
}

impl Wish {
    pub(super) fn verb(&self) -> locks::Wish {
        locks::Wish {
            shared: self.shared,
            ttl: self.ttl.map(Ttl),
            wait: Some(Span(self.wait)),
            priority: u64::try_from(self.priority).ok().map(Within),
            purpose: self.purpose.clone(),
            lock_delay: Some(Span(self.lock_delay)),
            durable: self.durable,
        }
    }
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let mut named = args.resources.iter().cloned().map(Said);
    let first = named.next().ok_or_else(|| Failure::bad_input("name a lock"))?;
    let verb = locks::Acquire {
        lock: first,
        locks: named.collect(),
        actor: args.actor.verb(),
        wish: args.wish.verb(),
        detach: args.detach,
    };
    let wanted = verb.wanted(&call(plane, OPERATOR))?;
    let outcome = interruptible(plane, &wanted).await?;
    Ok(told(locks::verdict(&wanted, outcome), |acquired| View::Text(text(acquired))))
}

/// Takes the locks; a signal gives up the places in their queues before the process ends.
pub(super) async fn interruptible(
    plane: &Plane,
    wanted: &[Request],
) -> Result<Outcome<Vec<Acquire>>, Failure> {
    let mut ending = Ending::listen()?;
    let locks = plane.locks();
    let code = tokio::select! {
        outcome = locks.acquire_all(wanted) => return outcome.map_err(Failure::from),
        code = ending.asked() => code,
    };
    for request in wanted {
        locks.cancel(&request.on, &request.request).await?;
    }
    Err(Failure::new(code, "interrupted; every place in a queue was given up"))
}

fn text(acquired: &locks::Acquired) -> String {
    let line = |one: &locks::Grant| format!("{} token {} until {}", one.lock, one.token, one.expires_at);
    match acquired {
        locks::Acquired::Granted { grants, durable, .. } => {
            let told = if *durable { ", a replica has it too" } else { "" };
            grants.iter().map(|one| line(one) + told).collect::<Vec<_>>().join("\n")
        }
        locks::Acquired::Queued { position, request, .. } => {
            format!("queued at place {position} (request {request})")
        }
    }
}
