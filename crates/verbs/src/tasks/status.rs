//! `tasks status`.

use quorate_catalog::ids::TaskId;
use quorate_plane::json::Object;
use quorate_plane::tasks::{Kin, Place, Report, Taken};

use crate::prelude::*;

/// Reports what became of a task.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Status {
    /// The task; any name, and the first report makes it known.
    pub task_id: Said<TaskId>,
    /// What became of it; completed and failed end it, in any case.
    pub status: String,
    /// A line for people.
    #[serde(default)]
    pub message: Option<String>,
    /// Further values; parent_task_id makes the task a child, retry_attempt says which attempt reports.
    #[serde(default)]
    pub meta: Option<Blob>,
    /// What the task produced.
    #[serde(default)]
    pub result: Option<Value>,
    /// What the task belongs to.
    #[serde(default)]
    pub correlation_id: Option<String>,
    /// The event itself: one that comes twice is taken once. Without it the content is what counts, so that a task which comes
    /// back to an earlier status must say when, or which event it is.
    #[serde(default)]
    pub event_id: Option<String>,
    /// Which service reports.
    #[serde(default)]
    pub service: Option<String>,
    /// When it happened, in ISO 8601; now, if it is not said.
    #[serde(default)]
    pub timestamp: Option<String>,
    /// Further fields of the event, which are kept as they are.
    #[serde(default)]
    pub fields: Option<Blob>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Reported {
    /// `accepted`, or `duplicate` if the same event had been taken before.
    pub outcome: &'static str,
    pub task_id: String,
    /// The number of the event among those of its task; absent where one of the seed's own clients had taken it.
    pub seq: Option<u64>,
    /// Whether it is the event that counts now, came too late, or came after the end.
    pub place: Option<Place>,
    /// Whether the task is in its parent's list.
    pub parent: Option<Kin>,
}

impl Status {
    /// The event as a worker would have written it.
    fn report(&self) -> Result<Report, Fault> {
        let mut document = self.fields.as_ref().map(|own| own.0.clone()).unwrap_or_default();
        let texts = [
            ("status", Some(&self.status)),
            ("message", self.message.as_ref()),
            ("correlation_id", self.correlation_id.as_ref()),
            ("event_id", self.event_id.as_ref()),
            ("service", self.service.as_ref()),
            ("timestamp", self.timestamp.as_ref()),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                document.set_text(name, text);
            }
        }
        let result = self.result.as_ref().map(|result| ("result", result.to_string()));
        let meta = self.meta.as_ref().map(|meta| ("meta", meta.0.to_string()));
        for (name, value) in result.into_iter().chain(meta) {
            let one =
                Object::parse(&format!("{{\"{name}\":{value}}}")).map_err(|why| Fault::bad(name, why))?;
            document = one.over(document);
        }
        Report::of(self.task_id.0.clone(), document).map_err(|why| {
            let field = why.split([' ', ':']).next().filter(|name| entry_has(name)).map(str::to_owned);
            Fault::BadInput { field, message: why }
        })
    }
}

/// Whether a word is a field of the verb.
fn entry_has(name: &str) -> bool {
    ["status", "message", "meta", "correlation_id", "event_id", "timestamp", "task_id"].contains(&name)
}

impl Verb for Status {
    const ABOUT: About =
        About::new("tasks", "status", Method::Post, "/tasks/{task_id}/status", Level::Work, Effect::Hot);
    type Answer = Reported;

    fn example() -> Value {
        json!({ "task_id": "task-123", "status": "running", "message": "step 2 of 3", "event_id": "evt-0002" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Reported>, Fault> {
        let outcome = call.plane.tasks().report(&self.report()?).await?;
        let task_id = self.task_id.to_string();
        Ok(Verdict::from(outcome).map(|taken| match taken {
            Taken::Accepted(accepted) => Reported {
                outcome: "accepted",
                task_id,
                seq: Some(accepted.seq),
                place: Some(accepted.place),
                parent: Some(accepted.kin),
            },
            Taken::Duplicate(seq) => {
                Reported { outcome: "duplicate", task_id, seq, place: None, parent: None }
            }
        }))
    }
}
