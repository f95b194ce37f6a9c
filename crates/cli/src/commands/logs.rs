//! `quorate logs`: records of services.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod emit;
mod ls;
mod pipe;
mod tail;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Sends one record.
    Emit(emit::Args),
    /// Sends every line of standard input; it never keeps the writer waiting, whatever the store does.
    Pipe(pipe::Args),
    /// Lists the services that have logged.
    Ls,
    /// Shows the last records of some or all services in order, and follows them.
    Tail(tail::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    match verb {
        Verb::Emit(args) => emit::run(global, &args).await,
        Verb::Pipe(args) => pipe::run(global, &args).await,
        Verb::Ls => ls::run(&Plane::new(plane::connect(global).await?)?).await,
        Verb::Tail(args) => {
            tail::run(&Plane::new(plane::connect(global).await?)?, &args, global.output).await
        }
    }
}
