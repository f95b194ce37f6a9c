//! `quorate dead ls`.

use quorate_plane::Plane;
use quorate_plane::dead_letters::{Filter, Letter};
use quorate_plane::queues::Queue;
use serde_json::Value;

use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) filter: Which,
    /// List the failures they have in common instead of the letters.
    #[arg(long)]
    clusters: bool,
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

/// Which letters are meant.
#[derive(Debug, clap::Args)]
pub(crate) struct Which {
    /// Only those of this queue.
    #[arg(long, value_name = "QUEUE")]
    queue: Option<Queue>,
    /// Only those with this fingerprint.
    #[arg(long, value_name = "FINGERPRINT")]
    pub(super) cluster: Option<String>,
    /// Only those whose reason contains this.
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Only open or replayed ones.
    #[arg(long, value_name = "STATE", value_parser = ["open", "replayed"])]
    state: Option<String>,
}

impl Which {
    pub(super) fn filter(&self, limit: usize) -> Filter {
        Filter {
            source: self.queue.as_ref().map(|queue| format!("queue:{queue}")),
            cluster: self.cluster.clone(),
            state: self.state.clone(),
            text: self.text.clone(),
            limit,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_none() && self.cluster.is_none() && self.text.is_none() && self.state.is_none()
    }
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let limit = args.limit as usize;
    let fault = |error: serde_json::Error| Failure::new(Exit::Fault, error.to_string());
    if args.clusters {
        let clusters = plane.dead_letters().clusters(limit).await?;
        let rows = clusters.iter();
        let rows = rows
            .map(|own| {
                vec![own.fingerprint.clone(), own.count.to_string(), own.last.clone(), own.reason.clone()]
            })
            .collect();
        let json = serde_json::to_value(&clusters).map_err(fault)?;
        return Ok(Answer::new(
            json,
            View::Rows { header: &["fingerprint", "count", "last", "reason"], rows },
        ));
    }
    let letters = plane.dead_letters().list(&args.filter.filter(limit)).await?;
    let json: Vec<Value> =
        letters.iter().map(|own| serde_json::to_value(own).map_err(fault)).collect::<Result<_, _>>()?;
    let rows = letters.iter().map(row).collect();
    let header = &["id", "source", "attempts", "state", "died", "reason"];
    Ok(Answer::new(Value::Array(json), View::Rows { header, rows }))
}

fn row(letter: &Letter) -> Vec<String> {
    vec![
        letter.id.clone(),
        letter.source.clone(),
        letter.attempts.to_string(),
        letter.state.clone(),
        letter.died_at.clone(),
        letter.reason.chars().take(80).collect(),
    ]
}
