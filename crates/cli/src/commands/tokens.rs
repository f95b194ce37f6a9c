//! `quorate tokens`: who may do what over HTTP.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod create;
mod ls;
mod revoke;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Makes a token and shows it, this once.
    Create(create::Args),
    /// Lists the tokens, never their secrets.
    Ls,
    /// Ends a token, and every session that its holder opened.
    Revoke(revoke::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Create(args) => create::run(&plane, &args).await,
        Verb::Ls => ls::run(&plane).await,
        Verb::Revoke(args) => revoke::run(&plane, &args).await,
    }
}
