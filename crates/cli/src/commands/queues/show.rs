//! `quorate queues show QUEUE`.

use quorate_plane::Plane;
use quorate_plane::queues::Queue;
use quorate_verbs::queues::{Show, Shown};
use quorate_verbs::said::{Said, Within};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// high, normal, low or job:NAME.
    #[arg(value_name = "QUEUE")]
    queue: Queue,
    /// Most claims to show.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(0..=1_000))]
    limit: u16,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Show { queue: Said(args.queue.clone()), limit: Some(Within(args.limit.into())) };
    ask(plane, &verb, |shown| View::Text(text(shown))).await
}

fn text(shown: &Shown) -> String {
    let queue = &shown.summary;
    let mut lines = vec![format!(
        "{}: {} wait, {} in flight, {} delayed, {} dead letters, {} late answers",
        queue.queue, queue.depth, queue.in_flight, queue.delayed, queue.dead, queue.stale
    )];
    lines.extend(queue.paused_by.iter().map(|who| format!("paused by {who}")));
    lines.extend(shown.claims.iter().map(|claim| {
        format!("{} attempt {} with {} until {}", claim.id, claim.attempt, claim.agent, claim.lease_until)
    }));
    lines.iter().map(|line| quorate_catalog::text::harmless(line)).collect::<Vec<_>>().join("\n")
}
