//! `quorate jobs ls`.

use quorate_plane::jobs::Job;
use quorate_verbs::jobs::Ls;

use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(global: &Global) -> Result<Answer, Failure> {
    let header = &["job", "queue", "state", "next", "cron", "zone"];
    let plane = super::plane(global).await?;
    ask(&plane, &Ls {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}

fn row(job: &Job) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    vec![
        job.id.clone(),
        format!("job:{}", job.queue),
        job.state.clone(),
        text(&job.next_at),
        text(&job.cron),
        text(&job.zone),
    ]
}
