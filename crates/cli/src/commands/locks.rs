//! `quorate locks`: who holds what.

use clap::Subcommand;
use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_verbs::locks::Done;
use quorate_verbs::said::Said;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::plane;

mod acquire;
mod cancel;
mod deadlocks;
mod ending;
mod guard;
mod ls;
mod release;
mod renew;
mod run;
mod running;
mod show;
mod steal;
mod tree;
mod waits;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Takes one lock, or several all or none.
    ///
    /// An agent that has the lock already gets the same token again, with its time renewed; one release frees it. Taking a shared lock
    /// without --shared upgrades it: that waits until the agent is its only reader, ahead of the queue, and two that upgrade at once are a
    /// deadlock. Taking an exclusive one with --shared downgrades it at once, with a new token. Who has all of a project has its areas.
    Acquire(acquire::Args),
    /// Extends a hold.
    Renew(renew::Args),
    /// Gives a lock back.
    Release(release::Args),
    /// Gives up a place in the queue of a lock, as `acquire --detach` leaves it there.
    Cancel(cancel::Args),
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
    /// Lists who waits for which lock, and who is in the way.
    Waits(waits::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Acquire(args) => acquire::run(&plane, &args).await,
        Verb::Renew(args) => renew::run(&plane, &args).await,
        Verb::Release(args) => release::run(&plane, &args).await,
        Verb::Cancel(args) => cancel::run(&plane, &args).await,
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Show(args) => show::run(&plane, &args).await,
        Verb::Steal(args) => steal::run(&plane, &args).await,
        Verb::Run(args) => run::run(&plane, &args).await,
        Verb::Guard(args) => guard::run(&plane, &args).await,
        Verb::Deadlocks(args) => deadlocks::run(&plane, &args).await,
        Verb::Waits(args) => waits::run(&plane, &args).await,
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

impl Actor {
    pub(crate) fn verb(&self) -> quorate_verbs::Actor {
        quorate_verbs::Actor { agent: Said(self.agent.clone()), epoch: self.epoch }
    }
}

/// For a verb that has nothing more to say.
fn done(done: &Done) -> View {
    View::Text(format!("{} {}", done.outcome, done.lock))
}
