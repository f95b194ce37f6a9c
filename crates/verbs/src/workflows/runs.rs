//! `workflows runs`.

use quorate_catalog::ids::WorkflowId;
use quorate_plane::workflows;

use crate::prelude::*;

/// Lists runs in a state, the latest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Runs {
    /// In which state; running if it is not said.
    #[serde(default)]
    pub state: State,
    /// Only those of this workflow.
    #[serde(default)]
    pub workflow: Option<Said<WorkflowId>>,
    /// Most runs to list; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It goes on.
    #[default]
    Running,
    /// It has come to its end.
    Completed,
    /// It could not.
    Failed,
    /// Somebody ended it.
    Cancelled,
}

impl From<State> for workflows::State {
    fn from(state: State) -> Self {
        match state {
            State::Running => Self::Running,
            State::Completed => Self::Completed,
            State::Failed => Self::Failed,
            State::Cancelled => Self::Cancelled,
        }
    }
}

impl Verb for Runs {
    const ABOUT: About =
        About::new("workflows", "runs", Method::Get, "/workflows/runs", Level::Read, Effect::None);
    type Answer = Vec<workflows::Run>;

    fn example() -> Value {
        json!({ "state": "failed", "workflow": "billing", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<workflows::Run>>, Fault> {
        let of = self.workflow.as_ref().map(|name| name.as_key());
        let limit = self.limit.map_or(100, Within::count);
        Ok(Verdict::Done(call.plane.workflows().runs(self.state.into(), of, limit).await?))
    }
}
