//! `quorate webhooks`: who outside is told what happened.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod add;
mod ls;
mod rm;
mod show;
mod test;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Tells an address of events from now on, and shows the secret that signs them, this once.
    Add(add::Args),
    /// Lists the webhooks and how their last deliveries went.
    Ls,
    /// Shows one.
    Show(show::Args),
    /// Removes one; what was on its way is not sent any more.
    Rm(rm::Args),
    /// Sends one a delivery that says nothing, now and once.
    Test(test::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Add(args) => add::run(plane, &args).await,
        Verb::Ls => ls::run(&plane).await,
        Verb::Show(args) => show::run(&plane, &args).await,
        Verb::Rm(args) => rm::run(&plane, &args).await,
        Verb::Test(args) => test::run(plane, &args).await,
    }
}
