//! `quorate metrics`: counters.

use clap::Subcommand;
use quorate_catalog::ids::MetricId;
use quorate_plane::Plane;
use serde_json::{Value, json};

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{plane, refusal};

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Raises a counter.
    Incr(Incr),
    /// Lists every counter.
    Ls,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Incr {
    /// The counter.
    name: MetricId,
    /// By how much.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    by: i64,
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Incr(Incr { name, by }) => Ok(refusal::or(plane.metrics().incr(&name, by).await?, |value| {
            Answer::new(
                json!({ "outcome": "raised", "counter": name, "value": value }),
                View::Text(value.to_string()),
            )
        })),
        Verb::Ls => {
            let all = plane.metrics().ls().await?;
            let json: Value =
                all.iter().map(|(name, value)| json!({ "counter": name, "value": value })).collect();
            let text = |value: &Option<i64>| value.map_or("no number".to_owned(), |value| value.to_string());
            let rows = all.iter().map(|(name, value)| vec![name.clone(), text(value)]).collect();
            Ok(Answer::new(json, View::Rows { header: &["counter", "value"], rows }))
        }
    }
}
