//! `quorate dead`: what could not be done, and what becomes of it.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod drop;
mod investigate;
mod ls;
mod replay;
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
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Show(args) => show::run(&plane, &args).await,
        Verb::Replay(args) => replay::run(&plane, args).await,
        Verb::Investigate(args) => investigate::run(&plane, &args).await,
        Verb::Drop(args) => drop::run(&plane, &args).await,
    }
}

/// Who acts, for the audit.
#[derive(Debug, clap::Args)]
struct Who {
    /// Who does it, for the audit.
    #[arg(long, env = "QUORATE_AGENT", value_name = "WHO", default_value = "operator")]
    by: String,
}
