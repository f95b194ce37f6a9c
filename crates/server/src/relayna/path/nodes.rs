//! The nodes and edges of a path: those of the graph first, and whatever belongs to none of them after it.

use std::collections::HashMap;

use quorate_plane::tasks::moment;
use serde_json::{Value, json};

use super::{list, text};

/// A path in the making.
pub(super) struct Walked {
    task: String,
    nodes: Vec<Value>,
    edges: Vec<Value>,
    /// The node of each span.
    spans: HashMap<String, usize>,
}

/// What shows something: whose word it is, and all of it.
fn evidence(source: &str, id: &str, label: &str, time: Option<&str>, whole: &Value) -> Value {
    json!({ "source": source, "source_id": id, "label": label, "timestamp": time, "payload": whole })
}

fn node(id: &str, kind: &str, label: &str, task: &str) -> Value {
    json!({ "id": id, "kind": kind, "label": label, "task_id": task, "state": null, "queue_name": null, "stage": null,
        "attempt": null, "trace_id": null, "span_id": null, "parent_span_id": null, "started_at": null, "ended_at": null,
        "duration_ms": null, "evidence": [] })
}

/// The first of these that says something.
fn any<'v>(of: &'v Value, names: &[&str]) -> Option<&'v str> {
    names.iter().find_map(|name| text(of, name))
}

impl Walked {
    /// The graph that a service draws; a task that has none is a node with its events after it.
    pub(super) fn of(detail: &Value, task: &str) -> Self {
        let mut own =
            Self { task: task.to_owned(), nodes: Vec::new(), edges: Vec::new(), spans: HashMap::new() };
        let graph = &detail["execution_graph"];
        list(&graph["nodes"]).iter().for_each(|said| own.drawn(said));
        list(&graph["edges"]).iter().for_each(|said| own.led(said));
        if own.nodes.is_empty() {
            own.bare(detail);
        }
        own
    }

    fn drawn(&mut self, said: &Value) {
        let Some(id) = text(said, "id") else { return };
        let (kind, more) = (text(said, "kind").unwrap_or("node"), &said["annotations"]);
        let mut own =
            node(id, kind, text(said, "label").unwrap_or(id), text(said, "task_id").unwrap_or(&self.task));
        let time = text(said, "timestamp");
        own["state"] = json!(text(said, "state"));
        own["queue_name"] = json!(any(more, &["queue_name", "source_queue_name", "retry_queue_name"]));
        own["attempt"] = more["retry_attempt"].clone();
        for name in ["stage", "trace_id", "span_id", "parent_span_id"] {
            own[name] = json!(text(more, name));
        }
        own["started_at"] = json!(time);
        own["ended_at"] = json!(text(said, "updated_at").filter(|last| Some(*last) != time));
        own["evidence"] = json!([evidence("graph_node", id, kind, time, said)]);
        self.nodes.push(own);
    }

    fn led(&mut self, said: &Value) {
        if let Some((from, to)) = text(said, "source").zip(text(said, "target")) {
            let (kind, time) = (text(said, "kind").unwrap_or("related"), text(said, "timestamp"));
            let id = format!("{from}->{to}:{}", self.edges.len() + 1);
            let shown = json!([evidence("graph_edge", &id, kind, time, said)]);
            self.edges.push(json!({ "id": id, "source": from, "target": to, "kind": kind, "timestamp": time,
                "state": text(said, "state"), "evidence": shown }));
        }
    }

    fn edge(&mut self, from: &str, to: &str, kind: &str, time: Option<&str>) {
        let id = format!("{from}->{to}:{kind}");
        self.edges.push(json!({ "id": id, "source": from, "target": to, "kind": kind, "timestamp": time,
            "state": null, "evidence": [] }));
    }

    /// The task, and what it reported from the oldest event on.
    fn bare(&mut self, detail: &Value) {
        let root = format!("task:{}", self.task);
        let mut own = node(&root, "task", &self.task, &self.task);
        own["evidence"] =
            json!([evidence("latest_status", &self.task, "task detail", None, &detail["latest_status"])]);
        self.nodes.push(own);
        let mut before = root;
        let mut events: Vec<&Value> = list(&detail["history"]["events"]).iter().collect();
        events.sort_by_key(|event| text(event, "timestamp").and_then(moment));
        for (place, event) in events.into_iter().enumerate() {
            let (status, time) = (text(event, "status").unwrap_or("status"), text(event, "timestamp"));
            let id = format!("status:{}:{}", self.task, place + 1);
            let mut own = node(&id, "status_event", status, &self.task);
            own["state"] = status.to_lowercase().into();
            own["started_at"] = json!(time);
            let name = text(event, "event_id").unwrap_or(&id);
            own["evidence"] =
                json!([evidence("status_history", name, &format!("status.{status}"), time, event)]);
            self.nodes.push(own);
            self.edge(&before, &id, "published_status", time);
            before = id;
        }
    }

    fn find(&self, kind: &str, name: &str, value: Option<&str>) -> Option<usize> {
        let fits = |node: &Value| {
            (kind.is_empty() || node["kind"] == kind) && value.is_some() && text(node, name) == value
        };
        self.nodes.iter().position(fits)
    }

    fn shows(&mut self, place: usize, shown: Value) {
        if let Some(all) = self.nodes[place]["evidence"].as_array_mut() {
            all.push(shown);
        }
    }

    /// A dead letter: at the node that is about it, or behind the last thing that happened.
    pub(super) fn letter(&mut self, said: &Value) {
        let id = text(said, "dlq_id").unwrap_or("dlq");
        let (queue, time) = (text(said, "queue_name"), text(said, "dead_lettered_at"));
        let label = text(said, "reason").or(queue).unwrap_or("DLQ");
        let shown = evidence("dlq", id, label, time, said);
        let about = |node: &Value| node["evidence"][0]["payload"]["annotations"]["dlq_id"] == id;
        let known = self.nodes.iter().position(about);
        if let Some(place) = known.or_else(|| self.find("dlq_record", "queue_name", queue)) {
            return self.shows(place, shown);
        }
        let name = format!("dlq:{}:{id}", self.task);
        let mut own = node(&name, "dlq_record", label, text(said, "task_id").unwrap_or(&self.task));
        (own["state"], own["attempt"]) = ("dead_lettered".into(), said["retry_attempt"].clone());
        (own["queue_name"], own["started_at"]) = (json!(queue), json!(time));
        own["evidence"] = json!([shown]);
        let before = self.nodes.iter().filter(|node| node["kind"] != "dlq_record").filter_map(|node| {
            let at = text(node, "started_at").and_then(moment);
            (at <= time.and_then(moment)).then_some((at, text(node, "id")?.to_owned()))
        });
        let before = before.max_by_key(|(at, _)| *at);
        self.nodes.push(own);
        if let Some((_, before)) = before {
            self.edge(&before, &name, "dead_lettered_to", time);
        }
    }

    /// An event that was taken in, at the node that it speaks of most.
    pub(super) fn event(&mut self, said: &Value) {
        let (kind, inner) = (text(said, "event_type").unwrap_or("event"), &said["payload"]);
        let id = any(said, &["dedupe_key", "event_id"]).unwrap_or(kind);
        let shown = evidence("studio_event", id, kind, any(said, &["timestamp", "ingested_at"]), said);
        let by_name = |node: &Value| {
            let own = text(said, "event_id");
            own.is_some() && text(node, "id").and_then(|id| id.rsplit(':').next()) == own
        };
        let place = self
            .nodes
            .iter()
            .position(by_name)
            .or_else(|| self.find("", "stage", text(inner, "stage")))
            .or_else(|| self.find("", "queue_name", text(inner, "queue_name")))
            .unwrap_or(0);
        self.shows(place, shown);
        for name in ["trace_id", "span_id"] {
            if self.nodes[place][name].is_null() {
                self.nodes[place][name] = json!(text(inner, name));
            }
        }
    }

    /// A span, at the stage or queue that it names, or as a node of its own.
    pub(super) fn span(&mut self, said: &Value) {
        let (id, name) = (text(said, "span_id").unwrap_or_default(), text(said, "name").unwrap_or("span"));
        let more = &said["attributes"];
        let stage = any(more, &["relayna.stage", "stage"]);
        let queue = any(more, &["relayna.queue", "messaging.destination.name", "queue_name"]);
        let known = self
            .find("", "stage", stage)
            .or_else(|| self.find("", "queue_name", queue))
            .unwrap_or_else(|| {
                let mut own = node(&format!("span:{id}"), "span", name, &self.task);
                (own["stage"], own["queue_name"]) = (json!(stage), json!(queue));
                self.nodes.push(own);
                self.nodes.len() - 1
            });
        self.shows(known, evidence("span", id, name, text(said, "start_time"), said));
        let own = &mut self.nodes[known];
        for (name, from) in [
            ("trace_id", "trace_id"),
            ("span_id", "span_id"),
            ("parent_span_id", "parent_span_id"),
            ("started_at", "start_time"),
            ("ended_at", "end_time"),
            ("duration_ms", "duration_ms"),
        ] {
            if own[name].is_null() {
                own[name] = said[from].clone();
            }
        }
        self.spans.insert(id.to_owned(), known);
    }

    /// What a span was part of leads to it.
    pub(super) fn nest(&mut self, spans: &[Value]) {
        for span in spans {
            let place = |name: &str| text(span, name).and_then(|id| self.spans.get(id)).copied();
            let (Some(from), Some(to)) = (place("parent_span_id"), place("span_id")) else { continue };
            if from != to {
                let name = |at: usize| text(&self.nodes[at], "id").unwrap_or_default().to_owned();
                let (from, to) = (name(from), name(to));
                self.edge(&from, &to, "span_child", text(span, "start_time"));
            }
        }
    }

    /// By time; what has none comes first.
    pub(super) fn sorted(mut self) -> (Vec<Value>, Vec<Value>) {
        self.nodes.sort_by_key(|node| text(node, "started_at").and_then(moment));
        self.edges.sort_by_key(|edge| text(edge, "timestamp").and_then(moment));
        (self.nodes, self.edges)
    }
}
