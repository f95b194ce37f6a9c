//! Putting a graph together, event by event, oldest first.

use std::collections::HashMap;

use quorate_catalog::ids::TaskId;
use quorate_store::Micros;
use serde_json::{Map, Value as Json};

use super::{Edge, Graph, Node, Summary};
use crate::tasks::{Event, Task};

/// What an observation may say that helps whoever looks at a node.
const TELLING: [&str; 10] = [
    "queue_name",
    "source_queue_name",
    "consumer_name",
    "correlation_id",
    "retry_attempt",
    "task_type",
    "stage",
    "message_id",
    "reason",
    "dlq_id",
];

/// A graph in the making.
pub(super) struct Builder {
    root: TaskId,
    pub(super) nodes: Vec<Node>,
    pub(super) places: HashMap<String, usize>,
    pub(super) edges: Vec<Edge>,
    related: Vec<String>,
    /// The last attempt of each task, by the id of its node.
    current: HashMap<String, String>,
    /// How the run of the task's workflow stands, for a task that reported nothing.
    pub(super) run: Option<String>,
    observed: bool,
    cut: bool,
}

impl Builder {
    pub(super) fn new(root: &TaskId) -> Self {
        let mut own = Self {
            root: root.clone(),
            nodes: Vec::new(),
            places: HashMap::new(),
            edges: Vec::new(),
            related: Vec::new(),
            current: HashMap::new(),
            run: None,
            observed: false,
            cut: false,
        };
        own.task(root);
        own
    }

    /// Whether something was left out.
    pub(super) fn cut(&mut self, cut: bool) {
        self.cut |= cut;
    }

    /// The node of a task, made if it is new.
    pub(super) fn task(&mut self, task: &TaskId) -> String {
        self.node(task_node(task), "task", task, task.to_string(), None, Map::new());
        task_node(task)
    }

    pub(super) fn child(&mut self, child: &TaskId) {
        self.related.push(child.to_string());
        self.node(task_node(child), "aggregation_child", child, child.to_string(), None, Map::new());
        let root = task_node(&self.root);
        self.edge(task_node(child), root, "aggregated_into", None);
    }

    /// Adds what was seen.
    pub(super) fn observed(&mut self, task: &TaskId, event: &Event) {
        self.observed = true;
        match event.text("event_type").unwrap_or_default() {
            "TaskMessageReceived" | "AggregationMessageReceived" => {
                self.attempt(task, number(event), event);
            }
            "ConsumerRetryScheduled" | "AggregationRetryScheduled" => self.retry(task, event),
            "ConsumerDeadLetterPublished" | "AggregationDeadLetterPublished" => self.dead(task, event),
            "WorkflowMessagePublished" => self.sent(task, event),
            "WorkflowMessageReceived" => self.entered(task, event),
            "TaskLeaseExpired" => self.state(task, "lease_expired"),
            "WorkflowStageFailed" | "AggregationHandlerFailed" => self.state(task, "failed"),
            "WorkflowStageAcked" | "AggregationMessageAcked" => self.state(task, "completed"),
            _ => {}
        }
    }

    /// Adds what was reported.
    pub(super) fn reported(&mut self, task: &TaskId, event: &Event) {
        let status = event.status().unwrap_or("unknown").to_owned();
        let name = event.event_id().map_or_else(|| format!("{}", self.nodes.len()), str::to_owned);
        let said = self.attempt_id(task, event.attempt());
        let owner = match self.places.get(&said) {
            Some(_) if event.attempt() > 0 => said,
            _ => self.at(task, event.at()).unwrap_or_else(|| task_node(task)),
        };
        let mut more = Map::new();
        more.extend(event.0.get("meta").map(|meta| ("meta".to_owned(), meta.clone())));
        let id = format!("status:{task}:{name}");
        self.node(id.clone(), "status_event", task, status.clone(), time(event), more);
        self.edge(owner.clone(), id, "published_status", time(event));
        if let Some(place) = self.places.get(&owner) {
            self.nodes[*place].state = Some(status.to_lowercase());
        }
        if status.eq_ignore_ascii_case("manual_retrying") {
            let next = self.attempt_id(task, event.attempt() + 1);
            if self.places.contains_key(&next) {
                self.edge(owner, next, "manual_retry_to", time(event));
            }
        }
    }

    pub(super) fn finish(self, task: Option<&Task>) -> Graph {
        let moments = self.nodes.iter().filter_map(|node| node.timestamp.as_deref());
        let mut moments: Vec<_> =
            moments.filter_map(|text| Some((crate::tasks::moment(text)?, text))).collect();
        moments.sort();
        let (first, last) = (moments.first().copied(), moments.last().copied());
        let latest = task.and_then(|task| task.latest.as_ref());
        let ended = latest.and_then(|event| Some((event.at()?, event.text("timestamp")?))).or(last);
        let duration = first.zip(ended).map(|((from, _), (to, _))| to.since(from).as_millis());
        let whole = self.observed && !self.cut;
        Graph {
            task_id: self.root.to_string(),
            summary: Summary {
                status: task.and_then(|task| task.status.clone()).or(self.run),
                started_at: first.map(|(_, text)| text.to_owned()),
                ended_at: ended.map(|(_, text)| text.to_owned()),
                duration_ms: duration.and_then(|ms| u64::try_from(ms).ok()),
                graph_completeness: if whole { "full" } else { "partial" },
            },
            nodes: self.nodes,
            edges: self.edges,
            related_task_ids: self.related,
        }
    }

    pub(super) fn attempt_id(&self, task: &TaskId, number: u32) -> String {
        format!("task-attempt:{task}:{}", number.saturating_add(1))
    }

    fn attempt(&mut self, task: &TaskId, number: u32, event: &Event) {
        let id = self.attempt_id(task, number);
        let label = format!("{task} attempt {}", number.saturating_add(1));
        let retry = format!("retry:{task}:{number}");
        let from = if self.places.contains_key(&retry) { retry } else { task_node(task) };
        self.node(id.clone(), "task_attempt", task, label, time(event), told(event));
        self.edge(from, id.clone(), "received_by", time(event));
        self.current.insert(task.to_string(), id);
    }

    fn retry(&mut self, task: &TaskId, event: &Event) {
        // The seed's clients say the number of the attempt that comes.
        let next = number(event).max(1);
        let id = format!("retry:{task}:{next}");
        self.node(id.clone(), "retry", task, format!("retry {next}"), time(event), told(event));
        let from = self.current.get(task.as_key()).cloned().unwrap_or_else(|| task_node(task));
        self.edge(from, id, "retried_as", time(event));
        self.state(task, "retrying");
    }

    fn dead(&mut self, task: &TaskId, event: &Event) {
        let label = event.text("reason").unwrap_or("dead letter").to_owned();
        let name = event.text("dlq_id").or_else(|| event.event_id());
        let id = format!("dlq:{task}:{}", name.map_or_else(|| self.nodes.len().to_string(), str::to_owned));
        self.node(id.clone(), "dlq_record", task, label, time(event), told(event));
        let from = self.current.get(task.as_key()).cloned().unwrap_or_else(|| task_node(task));
        self.edge(from, id, "dead_lettered_to", time(event));
        self.state(task, "dead_lettered");
    }

    fn sent(&mut self, task: &TaskId, event: &Event) {
        let Some(id) = self.message(task, event) else { return };
        let from = self.current.get(task.as_key()).cloned();
        match from {
            Some(stage) => self.edge(stage, id, "stage_transitioned_to", time(event)),
            None => self.edge(task_node(task), id, "received_by", time(event)),
        }
    }

    fn entered(&mut self, task: &TaskId, event: &Event) {
        let Some(message) = self.message(task, event) else { return };
        let stage = event.text("stage").unwrap_or("stage").to_owned();
        let attempt = number(event).saturating_add(1);
        let id = format!("stage-attempt:{task}:{stage}:{attempt}");
        let label = format!("{stage} attempt {attempt}");
        self.node(id.clone(), "stage_attempt", task, label, time(event), told(event));
        self.edge(message, id.clone(), "entered_stage", time(event));
        self.current.insert(task.to_string(), id);
    }

    /// The message of a workflow that an observation speaks of, made if it is new.
    fn message(&mut self, task: &TaskId, event: &Event) -> Option<String> {
        let name = event.text("message_id")?;
        let id = format!("message:{task}:{name}");
        let label = event.text("stage").unwrap_or(name).to_owned();
        self.node(id.clone(), "workflow_message", task, label, time(event), told(event));
        Some(id)
    }

    /// What became of the attempt that is under way.
    fn state(&mut self, task: &TaskId, state: &str) {
        let place = self.current.get(task.as_key()).and_then(|id| self.places.get(id));
        if let Some(place) = place {
            self.nodes[*place].state = Some(state.to_owned());
        }
    }

    /// The last attempt of a task that began before a moment, or at it.
    pub(super) fn at(&self, task: &TaskId, moment: Option<Micros>) -> Option<String> {
        let before = |node: &&Node| {
            let began = node.timestamp.as_deref().and_then(crate::tasks::moment);
            moment.zip(began).is_none_or(|(at, began)| began <= at)
        };
        self.attempts(task).rev().find(before).map(|node| node.id.clone())
    }

    pub(super) fn attempts(&self, task: &TaskId) -> impl DoubleEndedIterator<Item = &Node> {
        let tried = |node: &&Node| node.kind == "task_attempt" || node.kind == "stage_attempt";
        self.nodes.iter().filter(move |node| node.task_id == task.as_key()).filter(tried)
    }

    pub(super) fn node(
        &mut self,
        id: String,
        kind: &'static str,
        task: &TaskId,
        label: String,
        timestamp: Option<String>,
        annotations: Map<String, Json>,
    ) {
        if self.places.contains_key(&id) {
            return;
        }
        self.places.insert(id.clone(), self.nodes.len());
        self.nodes.push(Node {
            id,
            kind,
            task_id: task.to_string(),
            label,
            timestamp,
            state: None,
            annotations,
        });
    }

    pub(super) fn edge(
        &mut self,
        source: String,
        target: String,
        kind: &'static str,
        timestamp: Option<String>,
    ) {
        let edge = Edge { source, target, kind, timestamp };
        let same =
            |own: &Edge| (&own.source, &own.target, own.kind) == (&edge.source, &edge.target, edge.kind);
        if !self.edges.iter().any(same) {
            self.edges.push(edge);
        }
    }
}

pub(super) fn task_node(task: &TaskId) -> String {
    format!("node:{task}")
}

fn time(event: &Event) -> Option<String> {
    event.text("timestamp").map(str::to_owned)
}

fn number(event: &Event) -> u32 {
    event
        .0
        .get("retry_attempt")
        .and_then(Json::as_u64)
        .and_then(|number| u32::try_from(number).ok())
        .unwrap_or_default()
}

fn told(event: &Event) -> Map<String, Json> {
    let said = |name: &&str| event.0.get(*name).filter(|value| !value.is_null()).cloned();
    TELLING.iter().filter_map(|name| Some(((*name).to_owned(), said(name)?))).collect()
}
