//! `quorate jobs show`.

use quorate_plane::jobs::Job;
use serde_json::json;

use super::Which;
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};

/// Occurrences that are shown; no more are kept.
const RUNS: usize = 200;

pub(crate) async fn run(global: &Global, which: Which) -> Result<Answer, Failure> {
    match super::plane(global).await?.jobs().show(&which.id, RUNS).await? {
        Some(job) => Ok(shown(&job)),
        None => Err(Failure::not_found(format!("there is no job {}", which.id))),
    }
}

fn shown(job: &Job) -> Answer {
    let rows = job.runs.iter().map(|run| {
        vec![run.id.clone(), run.planned_at.clone(), run.state.clone(), run.at.clone(), run.detail.clone()]
    });
    let header = &["occurrence", "planned", "state", "at", "detail"];
    Answer::new(json!(job), View::Rows { header, rows: rows.collect() })
}
