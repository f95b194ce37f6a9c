//! `quorate jobs show`.

use quorate_plane::jobs::Run;
use quorate_verbs::jobs::Show;
use quorate_verbs::said::Said;

use super::Which;
use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(global: &Global, which: Which) -> Result<Answer, Failure> {
    let header = &["occurrence", "planned", "state", "at", "detail"];
    let row = |run: &Run| {
        vec![run.id.clone(), run.planned_at.clone(), run.state.clone(), run.at.clone(), run.detail.clone()]
    };
    let plane = super::plane(global).await?;
    ask(&plane, &Show { job: Said(which.id) }, |job| View::Rows {
        header,
        rows: job.runs.iter().map(row).collect(),
    })
    .await
}
