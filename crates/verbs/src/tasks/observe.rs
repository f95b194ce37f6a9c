//! `tasks observe`.

use quorate_catalog::ids::TaskId;
use quorate_plane::tasks::Observation;

use crate::prelude::*;

/// Notes what was seen to happen to a task, for its timeline and its execution graph.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Observe {
    /// The task.
    pub task_id: Said<TaskId>,
    /// What was seen, such as TaskMessageReceived.
    pub event_type: String,
    /// Which part of the runtime saw it.
    #[serde(default)]
    pub component: Option<String>,
    /// When, in ISO 8601; now, if it is not said.
    #[serde(default)]
    pub timestamp: Option<String>,
    /// What the task belongs to.
    #[serde(default)]
    pub correlation_id: Option<String>,
    /// Its parent, if it has one.
    #[serde(default)]
    pub parent_task_id: Option<Said<TaskId>>,
    /// The observation itself, if it has an id.
    #[serde(default)]
    pub event_id: Option<String>,
    /// Further fields, such as retry_attempt or queue_name, which are kept as they are.
    #[serde(default)]
    pub fields: Option<Blob>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Observed {
    /// `accepted`, or `duplicate` if the same had been noted before.
    pub outcome: &'static str,
    pub task_id: String,
}

impl Observe {
    fn observation(&self) -> Result<Observation, Fault> {
        let mut document = self.fields.as_ref().map(|own| own.0.clone()).unwrap_or_default();
        let parent = self.parent_task_id.as_ref().map(|task| task.0.to_string());
        let texts = [
            ("event_type", Some(&self.event_type)),
            ("component", self.component.as_ref()),
            ("timestamp", self.timestamp.as_ref()),
            ("correlation_id", self.correlation_id.as_ref()),
            ("parent_task_id", parent.as_ref()),
            ("event_id", self.event_id.as_ref()),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                document.set_text(name, text);
            }
        }
        Observation::of(self.task_id.0.clone(), document)
            .map_err(|why| Fault::BadInput { field: None, message: why })
    }
}

impl Verb for Observe {
    const ABOUT: About = About::new(
        "tasks",
        "observe",
        Method::Post,
        "/tasks/{task_id}/observations",
        Level::Work,
        Effect::Hot,
    );
    type Answer = Observed;

    fn example() -> Value {
        json!({ "task_id": "task-123", "event_type": "TaskMessageReceived", "component": "consumer" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Observed>, Fault> {
        let outcome = call.plane.tasks().observe(&self.observation()?).await?;
        let word = |new| if new { "accepted" } else { "duplicate" };
        Ok(Verdict::from(outcome)
            .map(|new| Observed { outcome: word(new), task_id: self.task_id.to_string() }))
    }
}
