//! `quorate jobs schedule`.

use std::time::Duration;

use quorate_catalog::ids::JobId;
use quorate_verbs::jobs::{CatchUp, JobQueue, Overlap, Schedule};
use quorate_verbs::said::{Moment, Said, Span};

use crate::args::Global;
use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("moment").required(true).args(["at", "after", "cron"]))]
pub(crate) struct Args {
    /// The queue it is put into when it is due: job:NAME of `quorate queues`.
    queue: JobQueue,
    /// What is put there.
    payload: String,
    /// Its name [default: a random one].
    #[arg(long)]
    id: Option<JobId>,
    /// When, in ISO 8601 with a zone, such as 2026-12-01T08:00:00Z.
    #[arg(long)]
    at: Option<Moment>,
    /// After which time, such as 5m.
    #[arg(long = "in", value_name = "TIME", value_parser = duration::parse)]
    after: Option<Duration>,
    /// Again and again: five fields, or six with seconds first.
    #[arg(long, value_name = "PATTERN")]
    cron: Option<String>,
    /// The time zone of the pattern.
    #[arg(long, default_value = "UTC", requires = "cron")]
    zone: String,
    /// When an earlier occurrence still runs: leave it out, let one wait, or let it run beside it.
    #[arg(long, default_value = "skip", value_parser = word::<Overlap>)]
    overlap: Overlap,
    /// After a time when nobody was there.
    #[arg(long, default_value = "one", value_parser = word::<CatchUp>)]
    catch_up: CatchUp,
}

/// A word of a closed list.
fn word<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(text.into()).map_err(|error| error.to_string())
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let zone = args.cron.is_some().then_some(args.zone);
    let verb = Schedule {
        queue: Said(args.queue),
        payload: args.payload,
        id: args.id.map(Said),
        at: args.at,
        after: args.after.map(Span),
        cron: args.cron,
        zone,
        overlap: args.overlap,
        catch_up: args.catch_up,
    };
    let plane = super::plane(global).await?;
    ask(&plane, &verb, |done| View::Text(format!("{} runs at {}", done.id, done.next_at))).await
}
