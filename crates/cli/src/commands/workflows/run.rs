//! `quorate workflows run TASK`.

use quorate_plane::Plane;
use quorate_plane::workflows;
use quorate_verbs::said::Said;
use quorate_verbs::workflows::Run;

use super::{Task, lines};
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, which: Task) -> Result<Answer, Failure> {
    ask(plane, &Run { task: Said(which.task) }, |run| View::Text(text(run))).await
}

fn text(run: &workflows::Run) -> String {
    let mut all = vec![if run.workflow.is_empty() {
        format!("{}: {}, as another client has it", run.task, run.state)
    } else {
        format!("{} runs {} version {}: {}", run.task, run.workflow, run.version, run.state)
    }];
    all.extend(run.error.iter().map(|why| format!("because {why}")));
    for stage in &run.stages {
        all.push(format!(
            "{}: {} ready, {} running, {} done, {} failed, since {}",
            stage.stage, stage.ready, stage.running, stage.done, stage.failed, stage.since
        ));
        let held = |held: &workflows::Held| {
            format!("  attempt {} by {} until {}", held.attempt, held.by, held.until)
        };
        all.extend(stage.attempts.iter().map(held));
    }
    for join in &run.joins {
        let expected = join.expected.map_or_else(|| "?".to_owned(), |count| count.to_string());
        let fired = join.fired.as_ref().map_or_else(
            || match &join.missing[..] {
                [] => "waits for branches that nobody has named".to_owned(),
                missing => format!("waits for {}", missing.join(", ")),
            },
            |at| format!("let go at {at}"),
        );
        all.push(format!("{} joins {} of {expected} ({}): {fired}", join.stage, join.arrived, join.rule));
    }
    lines(&all)
}
