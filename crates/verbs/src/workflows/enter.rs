//! `workflows enter`.

use quorate_catalog::ids::{AgentId, StageId, TaskId, WordId};
use quorate_plane::workflows;

use super::text;
use crate::prelude::*;
use crate::said::Json;

/// Begins an action of a stage that is ready; complete it, fail it or extend it before its lease ends.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Enter {
    /// The task whose run it is.
    pub task: Said<TaskId>,
    /// The stage.
    pub stage: Said<StageId>,
    /// What is done; the stage's first action, if it is not said.
    #[serde(default)]
    pub action: Option<Said<WordId>>,
    /// What it is done with: JSON that satisfies the stage's schema.
    #[serde(default)]
    pub payload: Option<Json>,
    /// Who does it; the caller, if it is not said.
    #[serde(default)]
    pub agent: Option<Said<AgentId>>,
    /// How long until the attempt counts as lost; the stage's timeout, or 60s, if it is not said.
    #[serde(default)]
    pub lease: Option<Ttl>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Entered {
    /// `entered`.
    pub outcome: &'static str,
    pub task: String,
    pub stage: String,
    /// Names the attempt when it is completed, failed or extended.
    pub attempt: String,
    /// When its lease ends, in ISO 8601.
    pub until: String,
}

impl Verb for Enter {
    const ABOUT: About = About::new(
        "workflows",
        "enter",
        Method::Post,
        "/workflows/runs/{task}/stages/{stage}/enter",
        Level::Work,
        Effect::Hot,
    )
    .by("agent");
    type Answer = Entered;

    fn example() -> Value {
        json!({ "task": "order-17", "stage": "collect", "payload": { "customer": 9 }, "lease": "2m" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Entered>, Fault> {
        let by = self.agent.as_ref().map_or_else(|| call.name(), |agent| agent.to_string());
        let enter = workflows::Enter {
            action: self.action.as_ref().map(|action| action.0.clone()),
            payload: text(self.payload.as_ref()).to_owned(),
            lease: self.lease.map(|lease| lease.0),
            ..workflows::Enter::new(self.task.0.clone(), self.stage.0.clone(), by)
        };
        let outcome = call.plane.workflows().asked(call.request.as_deref()).enter(&enter).await?;
        Ok(Verdict::from(outcome).map(|done| Entered {
            outcome: "entered",
            task: self.task.to_string(),
            stage: self.stage.to_string(),
            attempt: done.attempt.to_string(),
            until: done.until.iso(),
        }))
    }
}
