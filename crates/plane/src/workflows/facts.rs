//! What a script must know of a stage, taken from the topology; and the keys of its fan-in and of its queue.

use quorate_catalog::Key;
use quorate_catalog::ids::{QueueNameId, StageId, TaskId};
use quorate_store::Result;
use serde::Serialize;

use super::topology::{ACTION, JOIN_DEADLINE_MS, RUN_TIMEOUT_MS, Stage, Topology};
use super::{Workflows, invalid};

/// How long the record of a join outlives its run.
const KEEP_MS: u64 = 30 * 86_400_000;

#[derive(Debug, Clone, Serialize)]
pub(super) struct Facts {
    stage: String,
    /// What its queue gets for an action that is ready, as a JSON text; absent where it has no queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sla: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    need: Option<u32>,
    deadline: u64,
    keep: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
}

impl Facts {
    /// What is known of a stage. A join gives its queue no payload: what its branches brought is in the run.
    pub(super) fn of(topology: &Topology, stage: &Stage, work: Work<'_>) -> Self {
        let join = stage.join.as_ref();
        let work = if join.is_some() { Work { payload: "null", ..work } } else { work };
        Self {
            stage: stage.name.clone(),
            item: stage.queue.as_ref().map(|_| work.item(&stage.name)),
            sla: stage.sla_ms,
            rule: join.map(|join| join.rule.as_str()),
            need: join.and_then(|join| join.at_least),
            deadline: join.and_then(|join| join.deadline_ms).unwrap_or(JOIN_DEADLINE_MS),
            keep: topology.timeout_ms.unwrap_or(RUN_TIMEOUT_MS) + KEEP_MS,
            expected: join.map(|join| join.branches.clone()).filter(|names| !names.is_empty()),
            branch: None,
        }
    }

    /// The same for one branch of a join.
    pub(super) fn branch(self, name: &str) -> Self {
        Self { branch: Some(name.to_owned()), ..self }
    }
}

/// An action that a stage is to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) task: &'a TaskId,
    pub(super) action: &'a str,
    /// In JSON.
    pub(super) payload: &'a str,
}

impl<'a> Work<'a> {
    /// The stage's first action, with nothing to do it with.
    pub(super) fn first(task: &'a TaskId, stage: &'a Stage) -> Self {
        let action = stage.accepted_actions.first().map_or(ACTION, String::as_str);
        Self { task, action, payload: "null" }
    }

    /// The text that a queue gets, as a JSON text.
    pub(super) fn item(&self, stage: &str) -> String {
        let Self { task, action, payload } = self;
        let item = format!(
            "{{\"task\":\"{task}\",\"stage\":\"{stage}\",\"action\":\"{action}\",\"payload\":{payload}}}"
        );
        serde_json::Value::from(item).to_string()
    }
}

pub(super) fn text(facts: &[Facts]) -> String {
    serde_json::to_string(facts).unwrap_or_else(|_| "[]".to_owned())
}

impl Workflows<'_> {
    /// A pair of keys for each stage. One that has no queue names some queue, which the script leaves alone.
    pub(super) fn places(&self, task: &TaskId, stages: &[&Stage]) -> Result<Vec<Key>> {
        let mut keys = Vec::new();
        for stage in stages {
            let name = StageId::parse(&stage.name).map_err(|bad| invalid(bad.to_string()))?;
            let queue = QueueNameId::parse(stage.queue.as_deref().unwrap_or("none"))
                .map_err(|bad| invalid(bad.to_string()))?;
            keys.push(self.plane.keys().relayna().fan_in(task, &name));
            keys.push(self.plane.keys().ade().job_queue(&queue));
        }
        Ok(keys)
    }
}
