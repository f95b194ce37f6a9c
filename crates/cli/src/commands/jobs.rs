//! `quorate jobs`: what runs when.

mod cancel;
mod ls;
mod run;
mod schedule;
mod show;

use clap::Subcommand;
use quorate_catalog::ids::JobId;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Schedules a job: once at a time or after a while, or again and again.
    Schedule(schedule::Args),
    Ls(ls::Args),
    /// Shows one job and its last occurrences.
    Show(Which),
    /// Takes a job out of the schedule.
    Cancel(Which),
    /// Runs a job once more now.
    Run(Which),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Which {
    /// The job.
    id: JobId,
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    match verb {
        Verb::Schedule(args) => schedule::run(global, args).await,
        Verb::Ls(args) => ls::run(global, args).await,
        Verb::Show(which) => show::run(global, which).await,
        Verb::Cancel(which) => cancel::run(global, which).await,
        Verb::Run(which) => run::run(global, which).await,
    }
}

async fn plane(global: &Global) -> Result<Plane, Failure> {
    Ok(Plane::new(crate::plane::connect(global).await?)?)
}
