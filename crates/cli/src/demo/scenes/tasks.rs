//! Tasks with children: each reports its status step by step, and some fail.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::json;

use crate::demo::Scene;
use crate::demo::stage::{Stage, Trouble, about, chance, fresh, pick};

/// A report that is still to be made.
struct Step {
    task: String,
    parent: Option<String>,
    status: &'static str,
    message: &'static str,
}

#[derive(Default)]
pub(super) struct Tasks {
    steps: VecDeque<Step>,
}

impl Tasks {
    /// A task with a few children, step by step.
    fn plan(&mut self) {
        let parent = fresh("task");
        let step = |task: &str, parent: Option<&str>, status, message| Step {
            task: task.to_owned(),
            parent: parent.map(str::to_owned),
            status,
            message,
        };
        self.steps.push_back(step(&parent, None, "queued", "wait for a free worker"));
        self.steps.push_back(step(&parent, None, "running", "split into parts"));
        let children: Vec<String> = (0..fastrand::usize(2..=4)).map(|_| fresh("part")).collect();
        for child in &children {
            self.steps.push_back(step(child, Some(&parent), "queued", "handed over"));
            self.steps.push_back(step(
                child,
                Some(&parent),
                "running",
                *pick(&["reading", "translating", "indexing"]),
            ));
        }
        let mut whole = true;
        for child in &children {
            let failed = chance(10);
            whole &= !failed;
            let (status, message) = if failed {
                ("failed", "the source is not readable")
            } else {
                ("completed", "this part is done")
            };
            self.steps.push_back(step(child, Some(&parent), status, message));
        }
        let (status, message) =
            if whole { ("completed", "all parts are done") } else { ("failed", "a part failed") };
        self.steps.push_back(step(&parent, None, status, message));
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        let Some(step) = self.steps.pop_front() else {
            self.plan();
            return Ok(about(6));
        };
        let mut event = json!({ "status": step.status, "message": step.message, "service": "demo-ingest" });
        if let Some(parent) = &step.parent {
            event["meta"] = json!({ "parent_task_id": parent });
        }
        stage.post(&format!("/tasks/{}/status", step.task), event).await?;
        if step.status == "running" {
            let seen = json!({ "event_type": "task.progress", "component": "demo-worker", "fields": { "percent": fastrand::u8(10..90) } });
            stage.post(&format!("/tasks/{}/observations", step.task), seen).await?;
        }
        Ok(about(2))
    }
}

impl Scene for Tasks {
    fn name(&self) -> &'static str {
        "tasks"
    }

    fn about(&self) -> &'static str {
        "tasks with children report step by step"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
