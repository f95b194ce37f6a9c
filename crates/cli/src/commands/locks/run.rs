//! `quorate locks run RES… -- CMD`: a command that runs only while its locks are held.

use std::io::ErrorKind;
use std::time::Duration;

use quorate_plane::agents::DEFAULT_LEASE;
use quorate_plane::locks::{Acquire, Grant, Request, Resource};
use quorate_plane::{Outcome, Plane};
use quorate_store::Micros;
use tokio::process::{Child, Command};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout_at};

use super::Actor;
use super::acquire::{Wish, interruptible};
use super::ending::Ending;
use super::running::Running;
use crate::failure::{Exit, Failure};
use crate::out::{self, Answer, View};
use crate::refusal::told;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to lock.
    #[arg(required = true, value_name = "RES")]
    resources: Vec<Resource>,
    #[command(flatten)]
    actor: Actor,
    #[command(flatten)]
    wish: Wish,
    /// The command; it finds QUORATE_TOKEN (of the first lock) and QUORATE_TOKENS in its environment.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let (wish, actor) = (args.wish.verb(), args.actor.verb());
    let wanted = args.resources.iter().map(|on| wish.request(on, &actor)).collect::<Result<Vec<_>, _>>()?;
    let held = match interruptible(plane, &wanted).await? {
        Outcome::Done(all) if all.iter().all(|one| matches!(one, Acquire::Granted(_))) => all,
        other => return Ok(told(quorate_verbs::locks::verdict(&wanted, other), |_| View::Nothing)),
    };
    let held: Vec<(&Request, Grant)> =
        wanted.iter().zip(held).filter_map(|(request, got)| Some((request, grant(got)?))).collect();
    let outcome = supervise(plane, args, &held).await;
    // What the agent had before, the command only used.
    for (request, grant) in held.iter().rev().filter(|(_, grant)| !grant.again) {
        // What the command said counts; a lock that cannot be given back now lapses by itself.
        if let Err(error) = plane.locks().release(&request.on, &request.agent, grant.fence).await {
            out::talk(&format!("{} was not given back and lapses by itself: {error}", request.on));
        }
    }
    let code = outcome?;
    Ok(Answer {
        exit: code,
        ..Answer::new(serde_json::json!({ "outcome": "ran", "exit": code }), View::Nothing)
    })
}

fn grant(got: Acquire) -> Option<Grant> {
    match got {
        Acquire::Granted(grant) => Some(grant),
        _ => None,
    }
}

fn start(args: &Args, held: &[(&Request, Grant)]) -> Result<Child, Failure> {
    let tokens: Vec<String> =
        held.iter().map(|(request, grant)| format!("{}={}", request.on, grant.fence)).collect();
    let mut command = Command::new(&args.command[0]);
    command.args(&args.command[1..]).env("QUORATE_AGENT", args.actor.agent.to_string()).kill_on_drop(true);
    command.env("QUORATE_TOKEN", held[0].1.fence.to_string()).env("QUORATE_TOKENS", tokens.join(","));
    // Nobody would renew the locks of a command whose runner was killed.
    quorate_engine::tie(command.as_std_mut());
    super::tree::adopt();
    command.spawn().map_err(|error| not_started(&args.command[0], &error))
}

/// As shells say it: 127 where there is no such command, 126 where it is there and cannot be run.
fn not_started(command: &str, error: &std::io::Error) -> Failure {
    let (exit, advice) = match error.kind() {
        ErrorKind::NotFound => (Exit::NoCommand, "check its name, and that PATH leads to it"),
        ErrorKind::WouldBlock | ErrorKind::OutOfMemory => (Exit::Fault, "the machine is busy; try again"),
        _ => (Exit::NotExecutable, "it must be a file that may be executed: see `ls -l`, and `chmod +x`"),
    };
    let command = quorate_catalog::rule::show(command);
    Failure::new(exit, format!("{command} did not start, and its lock was given back: {error}"))
        .advise(advice)
}

/// Renews until the command ends; a lock that is lost ends the command.
async fn supervise(plane: &Plane, args: &Args, held: &[(&Request, Grant)]) -> Result<u8, Failure> {
    let now = plane.store().time().await?;
    let lease = lease(plane, args, now).await?;
    // What an agent holds ends with its own lease too, which may be the shorter one.
    let lifetime = held.iter().map(|(_, grant)| grant.expires_at.since(now)).fold(lease, Duration::min);
    let mut sure_until = Instant::now() + lifetime;
    // All of them were asked for with one wish, so they have one lifetime.
    let every = plane.locks().renew_every(args.wish.ttl).await?.min(lease / 3);
    let mut asked_to_end = Ending::listen()?;
    let mut command = Running::new(start(args, held)?);
    let mut beat = interval(every.max(Duration::from_millis(50)));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut lost = false;
    loop {
        let renewing = async {
            beat.tick().await;
            let asked = Instant::now();
            let away = |_| Renewed::Lost("it could not be renewed for as long as it lasts".to_owned());
            (asked, timeout_at(sure_until, renew(plane, args, held)).await.unwrap_or_else(away))
        };
        // A command that was asked to end still has its locks until it has.
        let (asked, renewed) = tokio::select! {
            code = command.ended() => return code,
            code = asked_to_end.asked() => {
                command.end(code);
                continue;
            }
            renewed = renewing, if !lost => renewed,
        };
        match renewed {
            Renewed::All => sure_until = asked + lifetime,
            Renewed::Unsure => {}
            Renewed::Lost(why) => {
                out::talk(&format!("the lock is lost ({why}); ending the command"));
                command.end(Exit::Refused);
                lost = true;
            }
        }
    }
}

/// A sign of life, and how long the agent's lease lasts from it.
async fn lease(plane: &Plane, args: &Args, now: Micros) -> Result<Duration, Failure> {
    Ok(match plane.agents().heartbeat(&args.actor.agent, args.actor.epoch).await? {
        Outcome::Done(beat) => beat.lease_until.since(now),
        // The first renewal says why.
        Outcome::Refused(_) => DEFAULT_LEASE,
    })
}

/// What a round of renewals came to.
enum Renewed {
    All,
    /// The store did not answer for one of them; its lease still runs.
    Unsure,
    Lost(String),
}

/// Renews every lock. A store that is away for less than the lease is no loss.
async fn renew(plane: &Plane, args: &Args, held: &[(&Request, Grant)]) -> Renewed {
    let _ = plane.agents().heartbeat(&args.actor.agent, args.actor.epoch).await;
    let mut renewed = Renewed::All;
    for (request, grant) in held {
        match plane.locks().renew(&request.on, &request.agent, args.actor.epoch, grant.fence, None).await {
            Ok(Outcome::Refused(why)) => return Renewed::Lost(why.reason),
            Ok(Outcome::Done(_)) => {}
            Err(_) => renewed = Renewed::Unsure,
        }
    }
    renewed
}
