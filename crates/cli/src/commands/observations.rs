//! `quorate observations`: what agents noticed.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod ack;
mod drop;
mod ls;
mod read;
mod reject;
mod revive;
mod submit;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Hands an observation in; the same one within 15 minutes goes to the dead ones.
    Submit(submit::Args),
    /// Lists pending observations, or dead ones.
    Ls(ls::Args),
    /// Reads pending observations for a group.
    Read(read::Args),
    /// Says that observations are consolidated.
    Ack(ack::Args),
    /// Puts an observation that failed with the dead ones.
    Reject(reject::Args),
    /// Sends a dead observation through again.
    Revive(revive::Args),
    /// Deletes dead observations.
    Drop(drop::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Submit(args) => submit::run(&plane, &args).await,
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Read(args) => read::run(&plane, &args, global.output).await,
        Verb::Ack(args) => ack::run(&plane, &args).await,
        Verb::Reject(args) => reject::run(&plane, &args).await,
        Verb::Revive(args) => revive::run(&plane, &args).await,
        Verb::Drop(args) => drop::run(&plane, &args).await,
    }
}
