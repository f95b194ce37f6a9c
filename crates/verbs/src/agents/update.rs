//! `agents update`.

use quorate_catalog::ids::AgentId;
use quorate_plane::agents;

use crate::prelude::*;

/// Changes task, status or blob of an agent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Update {
    /// The agent.
    pub agent: Said<AgentId>,
    /// Its epoch, as registering gave it; an earlier incarnation is refused.
    #[serde(default)]
    pub epoch: Option<u64>,
    /// What it works on now.
    #[serde(default)]
    pub task: Option<String>,
    /// How far it is.
    #[serde(default)]
    pub status: Option<Progress>,
    /// A JSON object of its own, or its text; it replaces the one that is there.
    #[serde(default)]
    pub blob: Option<Blob>,
    /// Merge the blob field by field into the one that is there.
    #[serde(default)]
    pub merge_blob: bool,
}

/// How far an agent is with its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    Pending,
    InProgress,
    Blocked,
    Done,
}

impl From<Progress> for agents::Status {
    fn from(progress: Progress) -> Self {
        match progress {
            Progress::Pending => Self::Pending,
            Progress::InProgress => Self::InProgress,
            Progress::Blocked => Self::Blocked,
            Progress::Done => Self::Done,
        }
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Updated {
    /// `updated`.
    pub outcome: &'static str,
    pub agent: String,
    /// Of the agent's record; it grows with every change.
    pub version: u64,
}

impl Verb for Update {
    const ABOUT: About =
        About::new("agents", "update", Method::Patch, "/agents/{agent}", Level::Work, Effect::Hot)
            .by("agent")
            .also(&[("id", "agent")]);
    type Answer = Updated;

    fn example() -> Value {
        json!({ "agent": "worker-1", "epoch": 1, "task": "build 42", "status": "in_progress" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Updated>, Fault> {
        if self.merge_blob && self.blob.is_none() {
            return Err(Fault::bad("merge_blob", "there is no blob to merge"));
        }
        let blob = self.blob.as_ref().map(|blob| blob.0.clone());
        let blob = blob.map(if self.merge_blob { agents::Blob::Merge } else { agents::Blob::Replace });
        let patch = agents::Patch { task: self.task.clone(), status: self.status.map(Into::into), blob };
        let agents = call.plane.agents().asked(call.request.as_deref());
        let outcome = agents.update(&self.agent, self.epoch, &patch).await?;
        Ok(Verdict::from(outcome).map(|version| Updated {
            outcome: "updated",
            agent: self.agent.to_string(),
            version,
        }))
    }
}
