//! `quorate services`: the services whose tasks the plane knows of.

mod search;

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Finds services by the beginnings of words and by what is known of them.
    Search(search::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(crate::plane::connect(global).await?)?;
    match verb {
        Verb::Search(args) => search::run(&plane, args).await,
    }
}
