//! `quorate overview`: the plane, seen from above.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod series;
mod show;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Says whether everything is all right, and what needs a person now.
    Show,
    /// Shows how the plane has been: depth, oldest age and speed of queues, agents, locks.
    Series(series::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Show => show::run(&plane).await,
        Verb::Series(args) => series::run(&plane, &args).await,
    }
}
