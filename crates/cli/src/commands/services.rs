//! `quorate services`: the services that a studio watches.

use clap::Subcommand;
use quorate_plane::Plane;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

mod change;
mod failed;
mod look;
mod read;
mod register;
mod search;
mod sources;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Registers a service.
    Register(Box<register::Args>),
    /// Lists the services, of one environment or of all.
    Ls(read::LsArgs),
    /// Shows a service, how it fares and how reading its feed goes.
    Show(read::One),
    /// Changes a service; what is not said stays.
    Update(Box<change::Args>),
    /// Keeps a service from being called until somebody enables it.
    Disable(change::One),
    /// Lets a service be called again.
    Enable(change::One),
    /// Deletes a service with its health, its cursor and its events.
    Delete(change::One),
    /// Says how a service fares, and why we think so.
    Health(read::One),
    /// Looks at a service now, and says how it fares.
    Check(look::One),
    /// Asks a service what it can do; one that answers is healthy.
    Refresh(look::One),
    /// Lists the events of a service, the last that came first.
    Events(read::EventsArgs),
    /// Reads the feed of a service now.
    Pull(look::One),
    /// Takes in an event of a service, where pushing is allowed.
    Ingest(look::IngestArgs),
    /// Asks a service for what it says of its own tasks.
    Ask(look::AskArgs),
    /// Gathers what a service knows of a task.
    Task(look::TaskArgs),
    /// Shows what a service has logged, the last line first.
    Logs(Box<sources::LogsArgs>),
    /// Shows what is measured of a service, or while one of its tasks ran.
    Metrics(sources::MetricsArgs),
    /// Lists the pods in which a service runs.
    Pods(sources::PodsArgs),
    /// Shows the traces that a task of a service left.
    Traces(sources::TracesArgs),
    /// Gathers the failed tasks of all services.
    Failed(look::FailedArgs),
    /// Shows one failed task of a service.
    Failure(failed::One),
    /// Marks a failed task of a service as looked into.
    Review(failed::ReviewArgs),
    /// Has a service retry a failed task, once.
    Retry(failed::RetryArgs),
    /// Deletes a failed task of a service, there.
    Discard(failed::One),
    /// Finds services by the beginnings of words and by what is known of them.
    Search(search::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Register(args) => register::run(plane, *args).await,
        Verb::Ls(args) => read::ls(&plane, args).await,
        Verb::Show(args) => read::show(&plane, args).await,
        Verb::Update(args) => change::update(plane, *args).await,
        Verb::Disable(args) => change::disable(&plane, args).await,
        Verb::Enable(args) => change::enable(&plane, args).await,
        Verb::Delete(args) => change::delete(&plane, args).await,
        Verb::Health(args) => read::health(&plane, args).await,
        Verb::Check(args) => look::check(plane, args).await,
        Verb::Refresh(args) => look::refresh(plane, args).await,
        Verb::Events(args) => read::events(&plane, args).await,
        Verb::Pull(args) => look::pull(plane, args).await,
        Verb::Ingest(args) => look::ingest(&plane, args).await,
        Verb::Ask(args) => look::ask_it(plane, args).await,
        Verb::Task(args) => look::task(plane, args).await,
        Verb::Logs(args) => sources::logs(plane, *args).await,
        Verb::Metrics(args) => sources::metrics(plane, args).await,
        Verb::Pods(args) => sources::pods(plane, args).await,
        Verb::Traces(args) => sources::traces(plane, args).await,
        Verb::Failed(args) => look::failed(plane, args).await,
        Verb::Failure(args) => failed::show(plane, args).await,
        Verb::Review(args) => failed::review(plane, args).await,
        Verb::Retry(args) => failed::retry(plane, args).await,
        Verb::Discard(args) => failed::discard(plane, args).await,
        Verb::Search(args) => search::run(&plane, args).await,
    }
}
