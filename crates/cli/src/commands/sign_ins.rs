//! `quorate sign-ins`: people who sign in, and their sessions.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod invite;
mod ls;
mod revoke;
mod role;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Makes a one-time code by which somebody signs in, and shows it, this once.
    Invite(invite::Args),
    /// Lists open sessions.
    Ls(ls::Args),
    /// Gives somebody another role, or none.
    Role(role::Args),
    /// Ends all sessions of somebody, and makes their codes worthless.
    Revoke(revoke::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Invite(args) => invite::run(&plane, &args).await,
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Role(args) => role::run(&plane, &args).await,
        Verb::Revoke(args) => revoke::run(&plane, &args).await,
    }
}
