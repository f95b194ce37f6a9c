//! `quorate metrics`: counters.

mod incr;
mod ls;

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Raises a counter.
    Incr(incr::Args),
    /// Lists every counter.
    Ls,
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Incr(args) => incr::run(&plane, &args).await,
        Verb::Ls => ls::run(&plane).await,
    }
}
