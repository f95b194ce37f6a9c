//! What caused what: the attempts, retries, stages, children and ends of a task as a graph.
//!
//! It is built anew from what the stores hold: observations, statuses, the dead letters of relayna's store with their replays, and
//! the run of a workflow. Where nobody observed the task, the graph says that it is partial.

mod build;
mod letters;
mod mermaid;
mod run;

use std::collections::BTreeSet;

use quorate_catalog::ids::TaskId;
use quorate_store::Result;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::Tasks;
use build::Builder;

/// Most children whose own attempts are shown.
const CHILDREN: usize = 50;
/// Most dead letters of one task.
const LETTERS: usize = 50;
/// Most events of one task.
const EVENTS: usize = 1_000;

/// The graph of one task.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Graph {
    pub task_id: String,
    pub summary: Summary,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The children whose events are in it.
    pub related_task_ids: Vec<String>,
}

/// The whole in a line.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// The status that counts.
    pub status: Option<String>,
    /// The first moment of anything in the graph, in ISO 8601.
    pub started_at: Option<String>,
    /// The moment of the status that counts, or else the last of all.
    pub ended_at: Option<String>,
    pub duration_ms: Option<u64>,
    /// `full`, or `partial` where nobody observed the task or a history has been cut.
    pub graph_completeness: &'static str,
}

/// Something that was or happened.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Node {
    pub id: String,
    /// `task`, `task_attempt`, `stage_attempt`, `workflow_message`, `status_event`, `retry`, `dlq_record` or
    /// `aggregation_child`.
    pub kind: &'static str,
    pub task_id: String,
    pub label: String,
    pub timestamp: Option<String>,
    /// What became of it, where that is known.
    pub state: Option<String>,
    pub annotations: Map<String, Json>,
}

/// What led to what.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Edge {
    pub source: String,
    pub target: String,
    /// `received_by`, `published_status`, `retried_as`, `dead_lettered_to`, `manual_retry_to`, `entered_stage`,
    /// `stage_transitioned_to` or `aggregated_into`.
    pub kind: &'static str,
    pub timestamp: Option<String>,
}

impl Tasks<'_> {
    /// The graph of a task; nothing if nothing is known of it.
    pub async fn graph(&self, task: &TaskId) -> Result<Option<Graph>> {
        let mut builder = Builder::new(task);
        self.plane.dead_letters().records().adopt().await?;
        let mut found = self.add(&mut builder, task).await?;
        let children = self.children(task, CHILDREN).await?;
        // What a foreign client wrote may have a ring in it; a child is looked at once, and its children are not.
        let mut seen = BTreeSet::from([task.to_string()]);
        for name in &children.children {
            let Ok(child) = TaskId::parse(name) else { continue };
            if seen.insert(name.clone()) {
                builder.child(&child);
                found |= self.add(&mut builder, &child).await?;
            }
        }
        let status = self.show(task).await?;
        if !builder.has_stages(task)
            && let Some(run) = self.plane.workflows().run(task).await?
        {
            builder.run(task, &run);
            found = true;
        }
        if !found && status.is_none() {
            return Ok(None);
        }
        builder.cut(children.truncated);
        Ok(Some(builder.finish(status.as_ref())))
    }

    /// Adds what is known of one task; whether that is anything.
    async fn add(&self, builder: &mut Builder, task: &TaskId) -> Result<bool> {
        let statuses = self.history(task, EVENTS).await?;
        let observations = self.observations(task, EVENTS).await?;
        let (letters, more) = self.plane.dead_letters().records().of_task(task, LETTERS).await?;
        builder.cut(statuses.truncated || observations.truncated || more);
        observations.events.iter().rev().for_each(|event| builder.observed(task, event));
        letters.iter().rev().for_each(|letter| builder.letter(task, letter));
        statuses.events.iter().rev().for_each(|event| builder.reported(task, event));
        Ok(!(statuses.events.is_empty() && observations.events.is_empty() && letters.is_empty()))
    }
}
