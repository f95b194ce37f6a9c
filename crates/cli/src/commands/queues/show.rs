//! `quorate queues show QUEUE`.

use quorate_plane::Plane;
use quorate_plane::queues::Queue;

use super::ls::summary;
use crate::failure::{Exit, Failure};
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
    let shown = plane.queues().show(&args.queue, usize::from(args.limit)).await?;
    let mut json = summary(&shown);
    json["claims"] =
        serde_json::to_value(&shown.claims).map_err(|error| Failure::new(Exit::Fault, error.to_string()))?;
    let mut lines = vec![format!(
        "{}: {} wait, {} in flight, {} delayed, {} dead letters, {} late answers",
        shown.queue, shown.depth, shown.in_flight, shown.delayed, shown.dead, shown.stale
    )];
    lines.extend(shown.paused.iter().map(|who| format!("paused by {who}")));
    lines.extend(shown.claims.iter().map(|claim| {
        format!("{} attempt {} with {} until {}", claim.id, claim.attempt, claim.agent, claim.lease_until)
    }));
    let text = lines.iter().map(|line| quorate_catalog::text::harmless(line)).collect::<Vec<_>>();
    Ok(Answer::new(json, View::Text(text.join("\n"))))
}
