//! The run of a workflow in a graph, where nobody observed its stages.

use quorate_catalog::ids::TaskId;
use serde_json::{Map, Value as Json, json};

use super::build::{Builder, task_node};
use crate::workflows::{Run, StageState};

impl Builder {
    /// Whether a stage of the task was observed.
    pub(super) fn has_stages(&self, task: &TaskId) -> bool {
        self.attempts(task).any(|node| node.kind == "stage_attempt")
    }

    /// Adds the stages that a run has come to. Which of them led to which is not known from it, so each hangs on the task.
    pub(super) fn run(&mut self, task: &TaskId, run: &Run) {
        self.run = Some(run.state.clone());
        for stage in &run.stages {
            let id = format!("stage:{task}:{}", stage.stage);
            let since = Some(stage.since.clone()).filter(|since| !since.is_empty());
            self.node(
                id.clone(),
                "stage_attempt",
                task,
                stage.stage.clone(),
                since.clone(),
                facts(run, stage),
            );
            if let Some(place) = self.places.get(&id) {
                self.nodes[*place].state = Some(state(stage).to_owned());
            }
            self.edge(task_node(task), id, "entered_stage", since);
        }
    }
}

fn facts(run: &Run, stage: &StageState) -> Map<String, Json> {
    let all = json!({ "workflow": run.workflow, "stage": stage.stage, "ready": stage.ready, "running": stage.running,
        "done": stage.done, "failed": stage.failed, "error": stage.error });
    let Json::Object(all) = all else { return Map::new() };
    all.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// What is under way counts more than what has been.
fn state(stage: &StageState) -> &'static str {
    match stage {
        StageState { running: 1.., .. } => "running",
        StageState { ready: 1.., .. } => "ready",
        StageState { failed: 1.., .. } => "failed",
        StageState { done: 1.., .. } => "completed",
        _ => "waiting",
    }
}
