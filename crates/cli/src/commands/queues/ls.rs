//! `quorate queues ls`.

use quorate_plane::Plane;
use quorate_verbs::queues::{Ls, Summary};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) async fn run(plane: &Plane, _: &Args) -> Result<Answer, Failure> {
    let header = &["queue", "depth", "in flight", "delayed", "oldest", "dead", "paused"];
    ask(plane, &Ls {}, |all| View::Rows { header, rows: all.0.iter().map(row).collect() }).await
}

fn row(queue: &Summary) -> Vec<String> {
    let oldest = queue.oldest_age_ms.map_or_else(String::new, |ms| format!("{:.1}s", ms as f64 / 1_000.0));
    vec![
        queue.queue.clone(),
        queue.depth.to_string(),
        queue.in_flight.to_string(),
        queue.delayed.to_string(),
        oldest,
        queue.dead.to_string(),
        queue.paused_by.clone().unwrap_or_default(),
    ]
}
