//! `quorate jobs ls`.

use quorate_plane::jobs::Job;
use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(global: &Global) -> Result<Answer, Failure> {
    Ok(list(&super::plane(global).await?.jobs().ls().await?))
}

fn list(all: &[Job]) -> Answer {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let row = |job: &Job| {
        vec![
            job.id.clone(),
            job.queue.clone(),
            job.state.clone(),
            text(&job.next_at),
            text(&job.cron),
            text(&job.zone),
        ]
    };
    let header = &["job", "queue", "state", "next", "cron", "zone"];
    Answer::new(json!(all), View::Rows { header, rows: all.iter().map(row).collect() })
}
