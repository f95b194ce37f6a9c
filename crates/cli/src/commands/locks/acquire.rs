//! `quorate locks acquire RES…`.

use std::time::Duration;

use quorate_plane::locks::{Acquire, Mode, Request, Resource};
use quorate_plane::{Outcome, Plane};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::{Actor, grant, verdict};
use crate::duration;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};

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
    /// How long it lasts without renewal [default: the deployment's, 30s].
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
    pub(super) fn request(&self, on: &Resource, actor: &Actor) -> Result<Request, Failure> {
        if self.shared && !on.can_be_shared() {
            return Err(Failure::bad_input(format!("{on} cannot be shared; only resource:TYPE:ID can")));
        }
        if self.purpose.len() > 1_024 {
            return Err(Failure::bad_input("--purpose is longer than 1,024 bytes"));
        }
        if self.lock_delay > Duration::from_secs(60) {
            return Err(Failure::bad_input("--lock-delay is longer than 60s"));
        }
        Ok(Request {
            epoch: actor.epoch,
            mode: if self.shared { Mode::Shared } else { Mode::Exclusive },
            ttl: self.ttl,
            wait: self.wait,
            priority: self.priority,
            purpose: self.purpose.clone(),
            lock_delay: self.lock_delay,
            durable: self.durable,
            ..Request::new(on.clone(), actor.agent.clone())
        })
    }
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let mut wanted = Vec::new();
    for on in &args.resources {
        let detach = args.detach && args.resources.len() == 1;
        wanted.push(Request { detach, ..args.wish.request(on, &args.actor)? });
    }
    if args.detach && wanted.len() > 1 {
        return Err(Failure::bad_input("--detach goes with one lock"));
    }
    let outcome = interruptible(plane, &wanted).await?;
    Ok(match outcome {
        Outcome::Done(all) if all.iter().all(|one| matches!(one, Acquire::Granted(_))) => {
            granted(&wanted, &all)
        }
        Outcome::Done(all) => verdict(&Outcome::Done(all.into_iter().next().unwrap_or(Acquire::TimedOut))),
        Outcome::Refused(why) => verdict(&Outcome::Refused(why)),
    })
}

/// Takes the locks; a signal gives up the places in their queues.
pub(super) async fn interruptible(
    plane: &Plane,
    wanted: &[Request],
) -> Result<Outcome<Vec<Acquire>>, Failure> {
    let fault =
        |error: std::io::Error| Failure::new(Exit::Fault, format!("signals cannot be handled: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(fault)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(fault)?;
    let locks = plane.locks();
    let code = tokio::select! {
        outcome = locks.acquire_all(wanted) => return outcome.map_err(Failure::from),
        _ = terminate.recv() => Exit::Terminated,
        _ = interrupt.recv() => Exit::Interrupted,
    };
    for request in wanted {
        locks.cancel(&request.on, &request.request).await?;
    }
    Err(Failure::new(code, "interrupted; every place in a queue was given up"))
}

fn granted(wanted: &[Request], got: &[Acquire]) -> Answer {
    let grants: Vec<_> = wanted
        .iter()
        .zip(got)
        .filter_map(|(request, got)| match got {
            Acquire::Granted(hold) => Some(grant(&request.on, hold)),
            _ => None,
        })
        .collect();
    let mut json = json!({ "outcome": "granted" });
    if let (Some(all), Some(first)) =
        (json.as_object_mut(), grants.first().and_then(|first| first.as_object()))
    {
        all.extend(first.clone());
        all.insert("grants".into(), grants.clone().into());
    }
    let line = |one: &serde_json::Value| {
        format!("{} token {} until {}", text(one, "lock"), one["token"], text(one, "expires_at"))
    };
    Answer::new(json, View::Text(grants.iter().map(line).collect::<Vec<_>>().join("\n")))
}

fn text<'v>(value: &'v serde_json::Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}
