//! Dead letters, replays and runs of workflows in the execution graph.

use quorate_catalog::ids::{DeadLetterId, StageId, WorkflowId};
use quorate_plane::dead_letters::Again;
use quorate_plane::tasks::{Graph, Node};
use quorate_plane::workflows::{Enter, Start, Topology};
use quorate_plane::{Plane, invariants};
use quorate_store::cmd;
use quorate_testkit::check;
use serde_json::{Value, json};

use super::graph::{graph, has, observe};
use super::support::{plane, task};

fn letter(name: &str, second: u32, more: &Value) -> Value {
    let mut record = json!({ "dlq_id": name, "queue_name": "tasks.dlq", "source_queue_name": "tasks", "task_id": "t",
        "retry_queue_name": "tasks.retry", "reason": "handler_error", "retry_attempt": 1, "max_retries": 3, "body": 1,
        "dead_lettered_at": format!("2026-04-06T10:{:02}:{:02}Z", second / 60, second % 60) });
    record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    record
}

async fn keep(plane: &Plane, record: Value) {
    plane.dead_letters().records().keep(&record.to_string()).await.unwrap().unwrap();
}

async fn replay(plane: &Plane, name: &str, how: Again) {
    let id = DeadLetterId::parse(name).unwrap();
    let how = Again { who: "ann".into(), force: true, ..how };
    plane.dead_letters().records().replay(&id, &how).await.unwrap().unwrap();
}

fn node<'g>(graph: &'g Graph, id: &str) -> &'g Node {
    graph.nodes.iter().find(|node| node.id == id).unwrap_or_else(|| panic!("{id} in {:#?}", graph.nodes))
}

fn count(graph: &Graph, kind: &str) -> usize {
    graph.nodes.iter().filter(|node| node.kind == kind).count()
}

#[tokio::test]
async fn a_dead_letter_that_nobody_observed_is_in_the_graph_of_its_task_and_of_no_other() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        keep(&plane, letter("d1", 5, &json!({}))).await;
        keep(&plane, letter("d2", 6, &json!({ "task_id": "other" }))).await;
        // Another client knows nothing of our index.
        let foreign = letter("d3", 7, &json!({ "state": "dead_lettered" })).to_string();
        let seed = plane.keys().relayna();
        let id = DeadLetterId::parse("d3").unwrap();
        let mut set = cmd("SET");
        set.arg(seed.dead_letter(&id).as_str()).arg(foreign);
        plane.store().query::<()>(&set).await.unwrap();
        bench.cli(&format!("LPUSH {} d3", seed.dead_letter_index())).await;
        let found = graph(&plane, "t").await;
        assert_eq!((count(&found, "dlq_record"), found.summary.graph_completeness), (2, "partial"));
        assert!(has(&found, "node:t", "dead_lettered_to", "dlq:t:d1"), "{:#?}", found.edges);
        assert!(has(&found, "node:t", "dead_lettered_to", "dlq:t:d3"), "{:#?}", found.edges);
        let own = node(&found, "dlq:t:d1");
        assert_eq!((own.label.as_str(), own.state.as_deref()), ("handler_error", Some("dead_lettered")));
        assert_eq!(
            (&own.annotations["queue_name"], &own.annotations["retry_attempt"]),
            (&json!("tasks.dlq"), &json!(1))
        );
        // One that is deleted is in no graph.
        plane.dead_letters().records().drop(&id, "ann", "a test").await.unwrap().unwrap();
        assert_eq!(count(&graph(&plane, "t").await, "dlq_record"), 1);
    })
    .await;
}

#[tokio::test]
async fn a_letter_that_was_observed_is_one_node_and_ends_its_attempt() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        observe(&plane, "t", "TaskMessageReceived", 0, json!({ "retry_attempt": 0 })).await;
        observe(&plane, "t", "TaskMessageReceived", 3, json!({ "retry_attempt": 1 })).await;
        let dead = "ConsumerDeadLetterPublished";
        observe(&plane, "t", dead, 5, json!({ "reason": "handler_error", "dlq_id": "d1" })).await;
        observe(&plane, "t", dead, 20, json!({ "reason": "timeout" })).await;
        keep(&plane, letter("d1", 5, &json!({}))).await;
        keep(&plane, letter("d2", 21, &json!({ "reason": "timeout" }))).await;
        keep(&plane, letter("d3", 50, &json!({ "reason": "timeout" }))).await;
        keep(&plane, letter("d4", 2, &json!({ "retry_attempt": 0 }))).await;
        let found = graph(&plane, "t").await;
        assert_eq!(count(&found, "dlq_record"), 4, "{:#?}", found.nodes);
        assert_eq!(found.summary.graph_completeness, "full");
        assert_eq!(node(&found, "dlq:t:d1").annotations["max_retries"], 3);
        let merged = found.nodes.iter().find(|node| node.annotations.get("dlq_id") == Some(&json!("d2")));
        assert_ne!(merged.unwrap().id, "dlq:t:d2", "an observation without a name made this node");
        for (source, target) in [
            ("task-attempt:t:2", "dlq:t:d1"),
            ("task-attempt:t:2", &merged.unwrap().id),
            ("task-attempt:t:2", "dlq:t:d3"),
            ("task-attempt:t:1", "dlq:t:d4"),
        ] {
            assert!(has(&found, source, "dead_lettered_to", target), "{source} {target}: {:#?}", found.edges);
        }
        assert_eq!(found.edges.iter().filter(|edge| edge.kind == "dead_lettered_to").count(), 4);
    })
    .await;
}

#[tokio::test]
async fn each_replay_of_a_letter_leads_to_what_it_became() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        keep(&plane, letter("d1", 5, &json!({}))).await;
        let again = |request: &str| Again { request: request.into(), ..Again::default() };
        replay(&plane, "d1", again("r1")).await;
        replay(&plane, "d1", Again { body: Some("{\"task_id\":\"u\"}".into()), ..again("r2") }).await;
        let found = graph(&plane, "t").await;
        for (source, target) in [
            ("dlq:t:d1", "replay:t:d1:1"),
            ("dlq:t:d1", "replay:t:d1:2"),
            ("replay:t:d1:1", "node:t"),
            ("replay:t:d1:2", "node:u"),
        ] {
            assert!(has(&found, source, "manual_retry_to", target), "{source} {target}: {:#?}", found.edges);
        }
        let (one, two) = (node(&found, "replay:t:d1:1"), node(&found, "replay:t:d1:2"));
        assert_eq!((count(&found, "retry"), one.kind, two.kind), (2, "retry", "retry"));
        assert_eq!(
            (&two.annotations["replay_count"], &two.annotations["retried_task_id"]),
            (&json!(2), &json!("u"))
        );
        assert!(two.annotations["replayed_at"].is_string() && two.timestamp.is_some());
        let own = node(&found, "dlq:t:d1");
        assert_eq!((own.state.as_deref(), &own.annotations["replay_count"]), (Some("replayed"), &json!(2)));
        // What began since is what the replay became.
        let mut later = json!({ "retry_attempt": 0, "event_type": "TaskMessageReceived" });
        later["timestamp"] = "2099-01-01T00:00:00Z".into();
        plane.tasks().observe(&super::feed::seen("t", later)).await.unwrap().unwrap();
        let found = graph(&plane, "t").await;
        assert!(has(&found, "replay:t:d1:1", "received_by", "task-attempt:t:1"), "{:#?}", found.edges);
    })
    .await;
}

#[tokio::test]
async fn hostile_letters_stay_texts_and_too_many_are_cut_aloud() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        observe(&plane, "t", "TaskMessageReceived", 0, json!({ "retry_attempt": 0 })).await;
        let evil = "x\"]\n  n0 -->|evil| n1[\"<script>alert(1)</script>";
        keep(&plane, letter("d00", 59, &json!({ "reason": evil }))).await;
        let found = graph(&plane, "t").await;
        let drawn = found.mermaid();
        assert_eq!(drawn.lines().count(), 1 + found.nodes.len() + found.edges.len(), "{drawn}");
        assert!(
            !drawn.contains("<script>") && !drawn.contains("|evil|") && drawn.contains("#34;"),
            "{drawn}"
        );
        assert_eq!(found.summary.graph_completeness, "full");
        for n in 1..=50_u32 {
            keep(&plane, letter(&format!("d{n:02}"), 60 + n, &json!({}))).await;
        }
        let found = graph(&plane, "t").await;
        assert_eq!((count(&found, "dlq_record"), found.summary.graph_completeness), (50, "partial"));
        assert!(!found.nodes.iter().any(|node| node.id == "dlq:t:d00"), "the oldest is left out");
    })
    .await;
}

#[tokio::test]
async fn a_task_that_only_a_workflow_knows_has_a_graph_of_its_stages() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let workflow = WorkflowId::parse("w").unwrap();
        let topology: Topology = serde_json::from_value(json!({ "entry": ["fetch"], "stages": [
            { "name": "fetch", "allowed_next_stages": ["write"] }, { "name": "write", "terminal": true }] }))
        .unwrap();
        let flows = plane.workflows();
        flows.define(&workflow, &topology, "ann").await.unwrap().unwrap();
        let start = Start { workflow, task: task("t"), payload: "{}".into(), who: "ann".into() };
        flows.start(&start).await.unwrap().unwrap();
        flows.enter(&Enter::new(task("t"), StageId::parse("fetch").unwrap(), "w1")).await.unwrap().unwrap();
        let found = graph(&plane, "t").await;
        assert_eq!(
            (found.summary.status.as_deref(), found.summary.graph_completeness),
            (Some("running"), "partial")
        );
        assert!(has(&found, "node:t", "entered_stage", "stage:t:fetch"), "{:#?}", found.edges);
        let stage = node(&found, "stage:t:fetch");
        assert_eq!((stage.kind, stage.state.as_deref()), ("stage_attempt", Some("running")));
        assert_eq!((&stage.annotations["workflow"], &stage.annotations["running"]), (&json!("w"), &json!(1)));
    })
    .await;
}

#[tokio::test]
async fn of_what_another_client_replayed_the_last_is_known_and_what_is_gone_leaves_the_index() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        observe(&plane, "t", "TaskMessageReceived", 0, json!({ "retry_attempt": 0 })).await;
        keep(&plane, letter("d1", 5, &json!({}))).await;
        let key = plane.keys().relayna().dead_letter(&DeadLetterId::parse("d1").unwrap());
        let theirs = json!({ "state": "replayed", "replay_count": 3, "replayed_at": "2026-04-06T11:00:00+00:00",
            "retried_task_id": "v" });
        let mut set = cmd("SET");
        set.arg(key.as_str()).arg(letter("d1", 5, &theirs).to_string());
        plane.store().query::<()>(&set).await.unwrap();
        let found = graph(&plane, "t").await;
        assert!(has(&found, "replay:t:d1:3", "manual_retry_to", "node:v"), "{:#?}", found.edges);
        assert_eq!((count(&found, "retry"), found.summary.graph_completeness), (1, "partial"));
        plane.store().query::<u64>(cmd("DEL").arg(key.as_str())).await.unwrap();
        let found = graph(&plane, "t").await;
        assert_eq!((count(&found, "dlq_record"), found.summary.graph_completeness), (0, "full"));
        let index = plane.keys().quorate().dlq_task(&task("t"));
        let left: u64 = plane.store().query(cmd("EXISTS").arg(index.as_str())).await.unwrap();
        assert_eq!(left, 0);
    })
    .await;
}
