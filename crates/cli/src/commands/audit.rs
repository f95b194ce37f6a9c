//! `quorate audit`: who changed what, and whether that record is whole.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod ls;
mod verify;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Lists records of the trail, newest first.
    Ls(ls::Args),
    /// Says whether any record was edited, deleted, put in or moved.
    Verify(verify::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Ls(args) => ls::run(global, &plane, &args).await,
        Verb::Verify(args) => verify::run(&plane, &args).await,
    }
}
