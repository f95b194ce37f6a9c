//! `workflows cancel`.

use quorate_catalog::ids::TaskId;

use crate::prelude::*;

/// Ends a run. What is under way is not interrupted; its result no longer counts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Cancel {
    /// The task whose run it is.
    pub task: Said<TaskId>,
    /// Why it ends.
    #[serde(default)]
    pub reason: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Cancelled {
    /// `cancelled`.
    pub outcome: &'static str,
    pub task: String,
}

impl Verb for Cancel {
    const ABOUT: About = About::new(
        "workflows",
        "cancel",
        Method::Post,
        "/workflows/runs/{task}/cancel",
        Level::Operate,
        Effect::Destroys,
    )
    .also(&[("id", "task")]);
    type Answer = Cancelled;

    fn example() -> Value {
        json!({ "task": "order-17", "reason": "the order was withdrawn" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Cancelled>, Fault> {
        let outcome = call.plane.workflows().cancel(&self.task, &call.name(), &self.reason).await?;
        Ok(Verdict::from(outcome).map(|()| Cancelled { outcome: "cancelled", task: self.task.to_string() }))
    }
}
