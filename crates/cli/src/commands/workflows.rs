//! `quorate workflows`: where a task stands in its workflow, and what comes next.

mod arrive;
mod cancel;
mod complete;
mod define;
mod enter;
mod expect;
mod explain;
mod extend;
mod fail;
mod ls;
mod run;
mod runs;
mod show;
mod start;

use clap::Subcommand;
use quorate_catalog::ids::{StageId, TaskId};
use quorate_plane::Plane;
use quorate_plane::workflows::Attempt;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Defines a workflow from a file, or a new version of one.
    Define(define::Args),
    /// Lists the workflows.
    Ls,
    /// Shows one workflow with its stages.
    Show(show::Args),
    /// Begins the run of a workflow for a task.
    Start(start::Args),
    /// Lists runs.
    Runs(runs::Args),
    /// Shows the run of a task: its stages, and what has come to its joins.
    Run(Task),
    /// Says what a run waits for: which edge is missing, who looks after it, since when.
    Explain(Task),
    /// Ends a run.
    Cancel(cancel::Args),
    /// Begins an action of a stage that is ready.
    Enter(enter::Args),
    /// Keeps an attempt alive.
    Extend(extend::Args),
    /// Records what an attempt gave, and brings the run to the next stages.
    Complete(complete::Args),
    /// Says that an attempt failed.
    Fail(fail::Args),
    /// Brings a branch to the stage that joins it with others.
    Arrive(arrive::Args),
    /// Says which branches a join waits for.
    Expect(expect::Args),
}

/// Which run.
#[derive(Debug, clap::Args)]
pub(crate) struct Task {
    /// The task whose run it is.
    task: TaskId,
}

/// Which stage of which run.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// The task whose run it is.
    task: TaskId,
    /// The stage.
    stage: StageId,
}

/// Which attempt of which stage.
#[derive(Debug, clap::Args)]
pub(crate) struct Held {
    #[command(flatten)]
    place: Place,
    /// The attempt, as entering gave it.
    #[arg(long)]
    attempt: Attempt,
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Define(args) => define::run(&plane, args).await,
        Verb::Ls => ls::run(&plane).await,
        Verb::Show(args) => show::run(&plane, args).await,
        Verb::Start(args) => start::run(&plane, args).await,
        Verb::Runs(args) => runs::run(&plane, args).await,
        Verb::Run(which) => run::run(&plane, which).await,
        Verb::Explain(which) => explain::run(&plane, which).await,
        Verb::Cancel(args) => cancel::run(&plane, args).await,
        Verb::Enter(args) => enter::run(&plane, args).await,
        Verb::Extend(args) => extend::run(&plane, args).await,
        Verb::Complete(args) => complete::run(&plane, args).await,
        Verb::Fail(args) => fail::run(&plane, args).await,
        Verb::Arrive(args) => arrive::run(&plane, args).await,
        Verb::Expect(args) => expect::run(&plane, args).await,
    }
}

/// Several lines, each with what came from outside made harmless.
fn lines(all: &[String]) -> String {
    all.iter().map(|line| quorate_catalog::text::harmless(line)).collect::<Vec<_>>().join("\n")
}
