//! `workflows complete`.

use quorate_catalog::ids::{StageId, TaskId, WordId};
use quorate_plane::workflows::{self, Attempt};

use super::text;
use crate::prelude::*;
use crate::said::{self, Json};

/// Records what an attempt gave, and brings the run to the next stages.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Complete {
    /// The task whose run it is.
    pub task: said::Said<TaskId>,
    /// The stage.
    pub stage: said::Said<StageId>,
    /// The attempt, as entering gave it.
    pub attempt: said::Said<Attempt>,
    /// What came out, in JSON.
    #[serde(default)]
    pub result: Option<Json>,
    /// Where the run goes; to every stage that may follow, if none is named.
    #[serde(default)]
    pub next: Vec<Next>,
}

/// One way on from a stage.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Next {
    /// The stage.
    pub stage: said::Said<StageId>,
    /// What it is asked to do; the first action that both stages know, if it is not said.
    #[serde(default)]
    pub action: Option<said::Said<WordId>>,
    /// What it gets, or what the branch brings to its join; the result, if it is not said.
    #[serde(default)]
    pub payload: Option<Json>,
    /// Which branch of its join this is; the stage that was done, if it is not said.
    #[serde(default)]
    pub branch: Option<said::Said<StageId>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Completed {
    /// `completed`.
    pub outcome: &'static str,
    /// `running`, or how the run has ended.
    pub state: String,
    /// What each next stage said; nothing when the result was recorded before.
    pub next: Vec<Said>,
}

/// What a next stage said.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Said {
    pub stage: String,
    /// `ready`, or of a join: `waiting`, `fired`, `late` or `duplicate`.
    pub outcome: String,
}

impl Verb for Complete {
    const ABOUT: About = About::new(
        "workflows",
        "complete",
        Method::Post,
        "/workflows/runs/{task}/stages/{stage}/complete",
        Level::Work,
        Effect::Hot,
    );
    type Answer = Completed;

    fn example() -> Value {
        json!({ "task": "order-17", "stage": "collect", "result": { "lines": 3 }, "next": [{ "stage": "price" }],
            "attempt": "3.9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Completed>, Fault> {
        let next: Vec<workflows::Next> = self.next.iter().map(Next::way).collect();
        let result = text(self.result.as_ref());
        let own = call.plane.workflows();
        let outcome = own.complete(&self.task, &self.stage, &self.attempt, result, &next).await?;
        let said = |(stage, outcome)| Said { stage, outcome };
        Ok(Verdict::from(outcome).map(|done| Completed {
            outcome: "completed",
            state: done.state,
            next: done.next.into_iter().map(said).collect(),
        }))
    }
}

impl Next {
    fn way(&self) -> workflows::Next {
        workflows::Next {
            stage: self.stage.0.clone(),
            action: self.action.as_ref().map(|action| action.0.clone()),
            payload: self.payload.as_ref().map(|payload| payload.0.clone()),
            branch: self.branch.as_ref().map(|branch| branch.0.clone()),
        }
    }
}
