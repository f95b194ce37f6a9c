//! `quorate queues ls`.

use quorate_plane::Plane;
use quorate_plane::queues::Shown;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) async fn run(plane: &Plane, _: &Args) -> Result<Answer, Failure> {
    let mut all = Vec::new();
    for queue in plane.queues().known().await? {
        all.push(plane.queues().show(&queue, 0).await?);
    }
    let json = all.iter().map(summary).collect();
    let rows = all.iter().map(row).collect();
    let header = &["queue", "depth", "in flight", "delayed", "oldest", "dead", "paused"];
    Ok(Answer::new(Value::Array(json), View::Rows { header, rows }))
}

/// What both lists and single queues say.
pub(super) fn summary(shown: &Shown) -> Value {
    json!({
        "queue": shown.queue,
        "depth": shown.depth,
        "in_flight": shown.in_flight,
        "delayed": shown.delayed,
        "oldest_age_ms": shown.oldest_ms,
        "paused": shown.paused.is_some(),
        "paused_by": shown.paused,
        "stale": shown.stale,
        "dead": shown.dead,
    })
}

fn row(shown: &Shown) -> Vec<String> {
    let oldest = shown.oldest_ms.map_or_else(String::new, |ms| format!("{:.1}s", ms as f64 / 1_000.0));
    vec![
        shown.queue.clone(),
        shown.depth.to_string(),
        shown.in_flight.to_string(),
        shown.delayed.to_string(),
        oldest,
        shown.dead.to_string(),
        shown.paused.clone().unwrap_or_default(),
    ]
}
