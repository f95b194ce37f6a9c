//! `quorate locks`: who holds what.

use clap::Subcommand;
use quorate_catalog::ids::AgentId;
use quorate_plane::locks::{Acquire, Grant, Resource};
use quorate_plane::{Outcome, Plane};
use serde_json::{Value, json};

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::{plane, refusal};

mod acquire;
mod deadlocks;
mod guard;
mod ls;
mod release;
mod renew;
mod run;
mod show;
mod steal;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Takes one lock, or several all or none.
    Acquire(acquire::Args),
    /// Extends a hold.
    Renew(renew::Args),
    /// Gives a lock back.
    Release(release::Args),
    /// Lists what is held.
    Ls(ls::Args),
    /// Shows who holds a lock and who waits for it.
    Show(show::Args),
    /// Breaks a lock that a foreign client left behind, if the rule allows it.
    Steal(steal::Args),
    /// Runs a command while holding locks, and ends it when a lock is lost.
    Run(run::Args),
    /// Runs one write only if the token is the lock's current one.
    Guard(guard::Args),
    /// Lists rings of agents that wait for each other.
    Deadlocks(deadlocks::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Acquire(args) => acquire::run(&plane, &args).await,
        Verb::Renew(args) => renew::run(&plane, &args).await,
        Verb::Release(args) => release::run(&plane, &args).await,
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Show(args) => show::run(&plane, &args).await,
        Verb::Steal(args) => steal::run(&plane, &args).await,
        Verb::Run(args) => run::run(&plane, &args).await,
        Verb::Guard(args) => guard::run(&plane, &args).await,
        Verb::Deadlocks(args) => deadlocks::run(&plane, &args).await,
    }
}

/// Who acts, and as which incarnation.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Actor {
    /// The agent that acts; it must be registered.
    #[arg(long, env = "QUORATE_AGENT", value_name = "ID")]
    pub(super) agent: AgentId,
    /// Its epoch; without one, the current incarnation's.
    #[arg(long, env = "QUORATE_EPOCH", value_name = "N")]
    pub(super) epoch: Option<u64>,
}

/// What is said of a hold.
fn grant(on: &Resource, grant: &Grant) -> Value {
    json!({ "lock": on.to_string(), "token": grant.fence, "expires_at": grant.expires_at.iso(), "request": grant.request })
}

/// The answer to a request that did not end in grants.
fn verdict(outcome: &Outcome<Acquire>) -> Answer {
    match outcome {
        Outcome::Refused(why) => {
            let holder = if why.is("held") { json!({ "holder": why.detail }) } else { json!({}) };
            refusal::answer(why, &holder)
        }
        Outcome::Done(Acquire::Queued { request, position }) => {
            let text = format!("queued at place {position} (request {request})");
            Answer::new(
                json!({ "outcome": "queued", "position": position, "request": request }),
                View::Text(text),
            )
        }
        Outcome::Done(Acquire::Deadlock { cycle }) => {
            let text = format!("deadlock: {}; this request gave way", cycle.join(", "));
            let json = json!({ "outcome": "deadlock", "cycle": cycle });
            Answer { exit: Exit::Refused as u8, ..Answer::new(json, View::Text(text)) }
        }
        Outcome::Done(_) => {
            let text = View::Text("timed out; the place in the queue was given up".into());
            Answer { exit: Exit::TimedOut as u8, ..Answer::new(json!({ "outcome": "timed_out" }), text) }
        }
    }
}

/// A verb that is done or refused, with nothing more to say.
fn done(outcome: &Outcome<()>, word: &str, on: &Resource) -> Answer {
    match outcome {
        Outcome::Done(()) => Answer::new(
            json!({ "outcome": word, "lock": on.to_string() }),
            View::Text(format!("{word} {on}")),
        ),
        Outcome::Refused(why) => refusal::answer(why, &json!({ "lock": on.to_string() })),
    }
}
