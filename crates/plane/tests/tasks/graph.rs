//! The execution graph: what caused what, and how much of it is known.

use quorate_plane::tasks::Graph;
use quorate_plane::{Plane, invariants};
use quorate_testkit::check;
use serde_json::{Value, json};

use super::feed::seen;
use super::support::{accept, plane, task};

pub(super) async fn observe(plane: &Plane, name: &str, kind: &str, second: u32, more: Value) {
    let mut document = more;
    document["event_type"] = kind.into();
    document["timestamp"] = format!("2026-04-06T10:00:{second:02}Z").into();
    plane.tasks().observe(&seen(name, document)).await.unwrap().unwrap();
}

async fn status(plane: &Plane, name: &str, status: &str, second: u32, meta: Value) {
    let time = format!("2026-04-06T10:00:{second:02}+00:00");
    accept(
        plane,
        name,
        json!({ "status": status, "event_id": format!("{name}-{second}"), "timestamp": time, "meta": meta }),
    )
    .await;
}

pub(super) async fn graph(plane: &Plane, name: &str) -> Graph {
    plane.tasks().graph(&task(name)).await.unwrap().expect("a graph")
}

fn kinds(graph: &Graph) -> Vec<&str> {
    graph.nodes.iter().map(|node| node.kind).collect()
}

pub(super) fn has(graph: &Graph, source: &str, kind: &str, target: &str) -> bool {
    graph
        .edges
        .iter()
        .any(|edge| edge.kind == kind && edge.source.contains(source) && edge.target.contains(target))
}

#[tokio::test]
async fn attempts_retries_and_dead_letters_follow_from_each_other() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        assert!(plane.tasks().graph(&task("nobody")).await.unwrap().is_none());
        observe(&plane, "t", "TaskMessageReceived", 0, json!({ "retry_attempt": 0, "queue_name": "tasks" }))
            .await;
        status(&plane, "t", "processing", 1, json!({})).await;
        observe(&plane, "t", "ConsumerRetryScheduled", 2, json!({ "retry_attempt": 1 })).await;
        observe(&plane, "t", "TaskMessageReceived", 3, json!({ "retry_attempt": 1 })).await;
        status(&plane, "t", "processing", 4, json!({ "retry_attempt": 1 })).await;
        observe(&plane, "t", "ConsumerDeadLetterPublished", 5, json!({ "reason": "handler_error" })).await;
        status(&plane, "t", "failed", 6, json!({ "retry_attempt": 1 })).await;
        let graph = graph(&plane, "t").await;
        assert_eq!(graph.summary.graph_completeness, "full");
        assert_eq!(
            (graph.summary.status.as_deref(), graph.summary.duration_ms),
            (Some("failed"), Some(6_000))
        );
        for (source, kind, target) in [
            ("node:t", "received_by", "task-attempt:t:1"),
            ("task-attempt:t:1", "published_status", "status:t:t-1"),
            ("task-attempt:t:1", "retried_as", "retry:t:1"),
            ("retry:t:1", "received_by", "task-attempt:t:2"),
            ("task-attempt:t:2", "published_status", "status:t:t-4"),
            ("task-attempt:t:2", "dead_lettered_to", "dlq:t"),
            ("task-attempt:t:2", "published_status", "status:t:t-6"),
        ] {
            assert!(has(&graph, source, kind, target), "{source} {kind} {target}: {:#?}", graph.edges);
        }
        let first = graph.nodes.iter().find(|node| node.id == "task-attempt:t:1").unwrap();
        assert_eq!(first.annotations["queue_name"], "tasks");
    })
    .await;
}

#[tokio::test]
async fn without_observations_the_graph_is_partial_and_children_are_in_it() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        status(&plane, "p", "running", 0, json!({})).await;
        status(&plane, "c1", "completed", 1, json!({ "parent_task_id": "p" })).await;
        status(&plane, "c2", "running", 2, json!({ "parent_task_id": "p" })).await;
        let found = graph(&plane, "p").await;
        assert_eq!(
            (found.summary.graph_completeness, &found.related_task_ids),
            ("partial", &vec!["c1".into(), "c2".into()])
        );
        assert_eq!(kinds(&found).iter().filter(|kind| **kind == "aggregation_child").count(), 2);
        assert!(
            has(&found, "node:c1", "aggregated_into", "node:p")
                && has(&found, "node:c1", "published_status", "status:c1")
        );
        // A ring that foreign clients wrote ends nobody's patience.
        let children = bench.scope.keys.relayna().children(&task("p"));
        bench.cli(&format!("SADD {children} p")).await;
        assert_eq!(graph(&plane, "p").await.nodes.len(), found.nodes.len());
        bench.cli(&format!("SREM {children} p")).await;
    })
    .await;
}

#[tokio::test]
async fn stages_of_a_workflow_and_hostile_labels_are_drawn() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        observe(
            &plane,
            "t",
            "WorkflowMessagePublished",
            0,
            json!({ "message_id": "m1", "stage": "planner" }),
        )
        .await;
        observe(&plane, "t", "WorkflowMessageReceived", 1, json!({ "message_id": "m1", "stage": "planner" }))
            .await;
        observe(&plane, "t", "WorkflowMessagePublished", 2, json!({ "message_id": "m2", "stage": "writer" }))
            .await;
        observe(&plane, "t", "WorkflowMessageReceived", 3, json!({ "message_id": "m2", "stage": "writer" }))
            .await;
        status(&plane, "t", "completed\"] --> evil", 4, json!({})).await;
        let graph = graph(&plane, "t").await;
        for (source, kind, target) in [
            ("node:t", "received_by", "message:t:m1"),
            ("message:t:m1", "entered_stage", "stage-attempt:t:planner:1"),
            ("stage-attempt:t:planner:1", "stage_transitioned_to", "message:t:m2"),
            ("message:t:m2", "entered_stage", "stage-attempt:t:writer:1"),
            ("stage-attempt:t:writer:1", "published_status", "status:t:t-4"),
        ] {
            assert!(has(&graph, source, kind, target), "{source} {kind} {target}: {:#?}", graph.edges);
        }
        let drawn = graph.mermaid();
        assert!(drawn.starts_with("flowchart LR\n") && drawn.contains("-->|entered_stage|"), "{drawn}");
        assert_eq!(drawn.lines().count(), 1 + graph.nodes.len() + graph.edges.len(), "{drawn}");
        assert!(!drawn.contains("evil\"") && drawn.contains("#34;"), "{drawn}");
    })
    .await;
}
