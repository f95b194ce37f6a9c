//! `quorate workflows explain TASK`.

use quorate_plane::Plane;
use quorate_plane::workflows::Explanation;
use quorate_verbs::said::Said;
use quorate_verbs::workflows::Explain;

use super::{Task, lines};
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, which: Task) -> Result<Answer, Failure> {
    ask(plane, &Explain { task: Said(which.task) }, |told| View::Text(text(told))).await
}

fn text(told: &Explanation) -> String {
    let of = if told.workflow.is_empty() { String::new() } else { format!(" ({})", told.workflow) };
    let mut all = vec![format!("{}{of}: {}", told.task, told.summary)];
    for wait in &told.waits {
        let owner = wait.owner.as_deref().unwrap_or("nobody named");
        let end = wait.until.as_ref().map(|until| format!(", until {until}")).unwrap_or_default();
        all.push(format!("{} [{owner}] since {}{end}: {}", wait.edge, wait.since, wait.says));
    }
    lines(&all)
}
