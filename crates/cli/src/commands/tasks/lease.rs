//! `quorate tasks lease`, `beat`, `release`, `leases`.

use std::time::Duration;

use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_plane::queues::Queue;
use quorate_plane::tasks::Recovery;
use quorate_verbs::said::{Said, Ttl, Within};
use quorate_verbs::tasks::{Beat, Lease, Leases, Release};

use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct TakeArgs {
    /// The task.
    task: TaskId,
    /// Who works on it.
    #[arg(long, env = "QUORATE_AGENT", value_name = "NAME")]
    owner: String,
    /// For how long.
    #[arg(long, default_value = "60s", value_parser = duration::parse)]
    ttl: Duration,
    /// What is done when it lapses: observe_only, publish_stale_status, requeue, retry or dead_letter.
    #[arg(long, default_value = "observe_only", value_parser = recovery)]
    action: Recovery,
    /// The queue into which the work is put again: by requeue and retry, or from the dead letters.
    #[arg(long, requires = "payload")]
    queue: Option<Queue>,
    /// The work, which goes with its queue.
    #[arg(long)]
    payload: Option<String>,
    /// Which attempt it is, counted from 0.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    attempt: u64,
    /// How many attempts may follow the first.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    max_retries: u64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct BeatArgs {
    #[command(flatten)]
    of: ReleaseArgs,
    /// For how long from now.
    #[arg(long, default_value = "60s", value_parser = duration::parse)]
    ttl: Duration,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReleaseArgs {
    /// The task.
    task: TaskId,
    /// The token of the lease.
    token: String,
    /// Who works on it.
    #[arg(long, env = "QUORATE_AGENT", value_name = "NAME")]
    owner: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    limit: u64,
}

fn recovery(text: &str) -> Result<Recovery, String> {
    serde_json::from_value(text.into())
        .map_err(|_| "use observe_only, publish_stale_status, requeue, retry or dead_letter".to_owned())
}

pub(crate) async fn take(plane: &Plane, args: TakeArgs) -> Result<Answer, Failure> {
    let verb = Lease {
        task_id: Said(args.task),
        owner: args.owner,
        ttl: Some(Ttl(args.ttl)),
        action: args.action,
        queue: args.queue.map(Said),
        payload: args.payload,
        attempt: Some(Within(args.attempt)),
        max_retries: Some(Within(args.max_retries)),
    };
    ask(plane, &verb, |lease| View::Text(format!("leased until {} with token {}", lease.until, lease.token)))
        .await
}

pub(crate) async fn beat(plane: &Plane, args: BeatArgs) -> Result<Answer, Failure> {
    let BeatArgs { of, ttl } = args;
    let verb = Beat { task_id: Said(of.task), owner: of.owner, token: of.token, ttl: Some(Ttl(ttl)) };
    ask(plane, &verb, |done| View::Text(format!("renewed until {}", done.until))).await
}

pub(crate) async fn release(plane: &Plane, args: ReleaseArgs) -> Result<Answer, Failure> {
    let verb = Release { task_id: Said(args.task), owner: args.owner, token: args.token };
    ask(plane, &verb, |_| View::Text("released".to_owned())).await
}

pub(crate) async fn list(plane: &Plane, args: ListArgs) -> Result<Answer, Failure> {
    let header = &["task", "owner", "until", "action", "lapsed"];
    let row = |lease: &quorate_plane::tasks::Lease| {
        let words = [&lease.task_id, &lease.owner, &lease.until].map(Clone::clone);
        let lapsed = if lease.lapsed { "yes" } else { "" };
        words.into_iter().chain([lease.action.as_str().to_owned(), lapsed.to_owned()]).collect()
    };
    let verb = Leases { limit: Some(Within(args.limit)) };
    ask(plane, &verb, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}
