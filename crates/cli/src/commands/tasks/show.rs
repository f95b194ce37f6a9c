//! `quorate tasks show TASK`.

use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::tasks::Show;

use super::Which;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, which: Which) -> Result<Answer, Failure> {
    let header = &["task", "status", "events", "children", "at", "message"];
    let verb = Show { task_id: Said(which.task) };
    ask(plane, &verb, |task| View::Rows { header, rows: vec![super::ls::row(task)] }).await
}
