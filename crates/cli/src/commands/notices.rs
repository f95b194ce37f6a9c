//! `quorate notices`: telling people of failed tasks.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod set;
mod show;
mod turn;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Says whether people are told of failed tasks, who they are, and what waits to be told.
    Show,
    /// Changes whether people are told, and how long failures are gathered for one message.
    Set(set::Args),
    /// Looks for failed tasks now, and tells of them if the wait is over.
    Run(turn::Args),
    /// Sends a mail that says nothing, now and once.
    Test(turn::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = crate::post::telling(Plane::new(plane::connect(global).await?)?)?;
    match verb {
        Verb::Show => show::run(&plane).await,
        Verb::Set(args) => set::run(&plane, &args).await,
        Verb::Run(args) => turn::run(plane, &args).await,
        Verb::Test(args) => turn::test(plane, &args).await,
    }
}
