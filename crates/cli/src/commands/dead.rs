//! `quorate dead`: what could not be done, and what becomes of it.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod drop;
mod failed;
mod investigate;
mod ls;
mod records;
mod replay;
mod retry;
mod show;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Lists dead letters, or the failures they have in common.
    Ls(ls::Args),
    /// Shows one with its payload and its history.
    Show(show::Args),
    /// Gives letters another life where they came from, once for each time they died.
    Replay(replay::Args),
    /// Notes what you found out about one.
    Investigate(investigate::Args),
    /// Deletes letters; the audit keeps who and why.
    Drop(drop::Args),
    /// Lists the dead letters of relayna's store.
    Records(records::Args),
    /// Shows one of relayna's store, with the status of its task.
    Record(records::One),
    /// Counts the dead letters of each queue of relayna's store.
    Sums,
    /// Lists failed tasks for their review.
    Failed(failed::Args),
    /// Shows one failed task with everything that was kept of it.
    Failure(records::One),
    /// Takes a dead letter into relayna's store.
    Keep(retry::Kept),
    /// Puts one of relayna's store into its retry queue again, once.
    Retry(retry::Again),
    /// Marks one of relayna's store as looked into.
    Review(retry::Looked),
    /// Deletes one of relayna's store; the audit keeps who and why.
    Delete(retry::Gone),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Show(args) => show::run(&plane, &args).await,
        Verb::Replay(args) => replay::run(&plane, args).await,
        Verb::Investigate(args) => investigate::run(&plane, &args).await,
        Verb::Drop(args) => drop::run(&plane, &args).await,
        Verb::Records(args) => records::list(&plane, args).await,
        Verb::Record(one) => records::show(&plane, one).await,
        Verb::Sums => records::sums(&plane).await,
        Verb::Failed(args) => failed::list(&plane, args).await,
        Verb::Failure(one) => failed::show(&plane, one).await,
        Verb::Keep(args) => retry::keep(&plane, args).await,
        Verb::Retry(args) => retry::retry(&plane, args).await,
        Verb::Review(args) => retry::review(&plane, args).await,
        Verb::Delete(args) => retry::delete(&plane, args).await,
    }
}

/// Who acts, for the audit.
#[derive(Debug, clap::Args)]
struct Who {
    /// Who does it, for the audit.
    #[arg(long, env = "QUORATE_AGENT", value_name = "WHO", default_value = "operator")]
    by: String,
}
