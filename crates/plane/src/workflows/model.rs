//! What the capability speaks of.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use quorate_catalog::ids::{Signature, StageId, TaskId, WordId, WorkflowId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::Topology;

/// A version of a workflow.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Definition {
    pub workflow: String,
    pub version: u64,
    /// The hash of the topology.
    pub digest: String,
    pub defined_by: String,
    pub defined_at: String,
    pub topology: Topology,
}

/// A version that was defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defined {
    pub version: u64,
    /// Whether it was there already.
    pub known: bool,
}

/// A run to begin.
#[derive(Debug, Clone)]
pub struct Start {
    pub workflow: WorkflowId,
    pub task: TaskId,
    /// What it is about, in JSON; the entry stages get it.
    pub payload: String,
    pub who: String,
}

/// An action to begin.
#[derive(Debug, Clone)]
pub struct Enter {
    pub task: TaskId,
    pub stage: StageId,
    /// The stage's first one, if it is not said.
    pub action: Option<WordId>,
    pub payload: String,
    pub by: String,
    pub lease: Option<Duration>,
}

impl Enter {
    pub fn new(task: TaskId, stage: StageId, by: impl Into<String>) -> Self {
        Self { task, stage, action: None, payload: "null".to_owned(), by: by.into(), lease: None }
    }
}

/// Names one attempt: its number in the run, and what makes its action the same as another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub number: u64,
    pub signature: Signature,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.number, self.signature.as_key())
    }
}

impl FromStr for Attempt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || "an attempt is NUMBER.SIGNATURE, as entering the stage gave it".to_owned();
        let (number, signature) = text.split_once('.').ok_or_else(bad)?;
        let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && number.len() < 16;
        let number = number.parse().ok().filter(|_| plain).ok_or_else(bad)?;
        let hex = signature.len() == 64 && signature.bytes().all(|byte| byte.is_ascii_hexdigit());
        let signature = Signature::parse(signature).ok().filter(|_| hex).ok_or_else(bad)?;
        Ok(Self { number, signature })
    }
}

/// An attempt that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    pub attempt: Attempt,
    pub until: quorate_store::Micros,
}

/// Where a run goes after an attempt.
#[derive(Debug, Clone)]
pub struct Next {
    pub stage: StageId,
    /// What it is asked to do; the first that both stages know, if it is not said.
    pub action: Option<WordId>,
    /// What it gets, or what the branch brings to a join; the result, if it is not said.
    pub payload: Option<String>,
    /// Which branch of a join this is; the stage that was done, if it is not said.
    pub branch: Option<StageId>,
}

impl Next {
    pub fn to(stage: StageId) -> Self {
        Self { stage, action: None, payload: None, branch: None }
    }
}

/// What became of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    /// `running`, or how the run has ended.
    pub state: String,
    /// For each next stage: `ready`, or what its join said. Empty when the call is a repeated one.
    pub next: Vec<(String, String)>,
}

/// What became of a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failed {
    /// The action can be begun again from then on.
    Retry(quorate_store::Micros),
    /// It was given up; the state of the run.
    ForGood(String),
}

/// What a join said to a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// `fired` for the one branch that let the stage go, else `waiting`, `late`, `duplicate` or `impossible`.
    pub outcome: String,
    pub state: String,
    pub arrived: u64,
    /// How many are awaited, once that is known.
    pub expected: Option<u64>,
}

/// A run as others see it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Run {
    pub task: String,
    pub workflow: String,
    pub version: u64,
    /// running, completed, failed or cancelled.
    pub state: String,
    pub created_at: String,
    pub created_by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Why it failed or was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// When it has failed by taking too long.
    pub deadline: String,
    pub payload: Value,
    pub stages: Vec<StageState>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joins: Vec<JoinState>,
}

/// What a stage has in a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct StageState {
    pub stage: String,
    pub ready: u64,
    pub running: u64,
    pub done: u64,
    pub failed: u64,
    /// Since when it has had work, or when it last had some.
    pub since: String,
    /// How often its service level was missed.
    pub sla_missed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Held>,
}

/// An attempt under way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Held {
    pub attempt: u64,
    pub action: String,
    pub by: String,
    pub since: String,
    pub until: String,
}

/// What has come to a join, and what has not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct JoinState {
    pub stage: String,
    pub rule: String,
    /// When the first branch came, or the branches were said.
    pub since: String,
    pub deadline: String,
    pub arrived: u64,
    pub lost: u64,
    /// How many are awaited in all, once that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
    /// The branches that have not come.
    pub missing: Vec<String>,
    /// What each branch brought.
    pub results: std::collections::BTreeMap<String, Value>,
    /// What came after the stage was let go, or after the run.
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub late: std::collections::BTreeMap<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fired: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fired_by: Option<String>,
}

/// Why a run stands where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Explanation {
    pub task: String,
    pub workflow: String,
    pub state: String,
    /// One sentence.
    pub summary: String,
    pub waits: Vec<Wait>,
}

/// One thing that a run waits for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Wait {
    pub stage: String,
    /// `worker`, `attempt`, `retry` or `branch`.
    pub kind: &'static str,
    /// The edge that is missing: from where to where.
    pub edge: String,
    /// Who looks after what is missing, if the topology says.
    pub owner: Option<String>,
    pub since: String,
    /// Until when it is waited for.
    pub until: Option<String>,
    /// One sentence.
    pub says: String,
}
