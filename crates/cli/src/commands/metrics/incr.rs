//! `quorate metrics incr NAME`.

use quorate_catalog::ids::MetricId;
use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The counter.
    name: MetricId,
    /// By how much.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    by: i64,
}

pub(crate) async fn run(plane: &Plane, Args { name, by }: &Args) -> Result<Answer, Failure> {
    Ok(refusal::or(plane.metrics().incr(name, *by).await?, |value| {
        let json = json!({ "outcome": "raised", "counter": name, "value": value });
        Answer::new(json, View::Text(value.to_string()))
    }))
}
