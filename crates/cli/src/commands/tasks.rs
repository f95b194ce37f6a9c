//! `quorate tasks`: what became of what is being done.

mod children;
mod feed;
mod graph;
mod history;
mod lease;
mod ls;
mod observations;
mod observe;
mod pressure;
mod search;
mod show;
mod status;

use clap::Subcommand;
use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Reports what became of a task.
    Status(status::Args),
    /// Lists tasks, the one that reported last first.
    Ls(ls::Args),
    /// Finds tasks of all services by what is known of them, the last seen first.
    Search(search::Args),
    /// Shows one task: the status that counts, its last event and its kin.
    Show(Which),
    /// Lists the last status events of a task, newest first.
    History(Listed),
    /// Lists the tasks that named this one as their parent.
    Children(Listed),
    /// Notes what was seen to happen to a task.
    Observe(observe::Args),
    /// Lists what was seen to happen to a task, newest first.
    Observations(Listed),
    /// Pages through the events of all tasks, newest first; or from a cursor on, oldest first.
    Feed(feed::Args),
    /// Leases a task to a worker; if it is not heard from, what was asked for is done.
    Lease(lease::TakeArgs),
    /// Renews the lease of a task.
    Beat(lease::BeatArgs),
    /// Gives the lease of a task back.
    Release(lease::ReleaseArgs),
    /// Lists the leases of tasks, the one that lapses first first.
    Leases(lease::ListArgs),
    /// Says where work piles up: queues, workers, leases, dead letters.
    Pressure,
    /// Shows what caused what: attempts, retries, stages and children of a task as a graph.
    Graph(graph::Args),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Which {
    /// The task.
    task: TaskId,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Listed {
    /// The task.
    task: TaskId,
    /// Most to list.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    limit: u64,
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(crate::plane::connect(global).await?)?;
    match verb {
        Verb::Status(args) => status::run(&plane, args).await,
        Verb::Ls(args) => ls::run(&plane, args).await,
        Verb::Search(args) => search::run(plane, args).await,
        Verb::Show(which) => show::run(&plane, which).await,
        Verb::History(some) => history::run(&plane, some).await,
        Verb::Children(some) => children::run(&plane, some).await,
        Verb::Observe(args) => observe::run(&plane, args).await,
        Verb::Observations(some) => observations::run(&plane, some).await,
        Verb::Feed(args) => feed::run(&plane, args).await,
        Verb::Lease(args) => lease::take(&plane, args).await,
        Verb::Beat(args) => lease::beat(&plane, args).await,
        Verb::Release(args) => lease::release(&plane, args).await,
        Verb::Leases(args) => lease::list(&plane, args).await,
        Verb::Pressure => pressure::run(&plane).await,
        Verb::Graph(args) => graph::run(&plane, args).await,
    }
}
