//! Every address that Relayna has, its 23 of a service and its 39 of a studio: each once as it is meant, and once refused.

use quorate_testkit::{Bench, check};
use serde_json::{Value, json};

use crate::outside::Outside;
use crate::support::{Server, read};

/// Method, address and status; then an address that is refused in the same way of asking, and its status. The order is that of a
/// day: what is deleted is deleted last.
type Row = (&'static str, &'static str, u16, &'static str, u16);

const OF_A_SERVICE: [Row; 23] = [
    ("GET", "/relayna/runtime/backpressure", 200, "/relayna/runtime/nothing", 404),
    ("GET", "/relayna/capabilities", 200, "/relayna/nothing", 404),
    ("GET", "/events/feed?limit=2", 200, "/events/feed?limit=501", 400),
    ("GET", "/executions/t1/graph", 200, "/executions/nobody/graph", 404),
    ("GET", "/relayna/health/workers", 200, "/relayna/health/nothing", 404),
    ("GET", "/dlq/queues", 200, "/dlq/nothing", 404),
    ("GET", "/dlq/messages?limit=5", 200, "/dlq/messages?limit=201", 400),
    ("GET", "/dlq/messages/d1", 200, "/dlq/messages/nobody", 404),
    ("POST", "/dlq/messages/d1/replay", 200, "/dlq/messages/d1/replay", 409),
    ("GET", "/failed-tasks?limit=5", 200, "/failed-tasks?limit=0", 400),
    ("GET", "/failed-tasks/d2", 200, "/failed-tasks/nobody", 404),
    ("POST", "/failed-tasks/d2/mark-investigated", 200, "/failed-tasks/nobody/mark-investigated", 404),
    ("POST", "/failed-tasks/d2/mark-uninvestigated", 200, "/failed-tasks/nobody/mark-uninvestigated", 404),
    ("POST", "/failed-tasks/d2/retry", 200, "/failed-tasks/d2/retry", 409),
    ("DELETE", "/failed-tasks/d2", 204, "/failed-tasks/d2", 404),
    ("GET", "/broker/dlq/queues", 200, "/broker/dlq/nothing", 404),
    ("GET", "/broker/dlq/messages?queue_name=q.dlq", 200, "/broker/dlq/messages?limit=201", 400),
    ("GET", "/events/t1", 200, "/events/a:b", 400),
    ("GET", "/status/t1", 200, "/status/nobody", 404),
    ("GET", "/history?task_id=t1", 200, "/history", 422),
    ("GET", "/workflow/topology", 200, "/workflow/topology?workflow=none", 404),
    ("GET", "/workflow/stages", 200, "/workflow/stages?workflow=none", 404),
    ("GET", "/metrics", 200, "/metrics/nothing", 404),
];

const OF_A_STUDIO: [Row; 39] = [
    ("POST", "/studio/ingest/events", 200, "/studio/ingest/nothing", 404),
    ("GET", "/studio/services/pay/events", 200, "/studio/services/none/events", 404),
    ("GET", "/studio/tasks/pay/t1/events", 200, "/studio/tasks/none/t1/events", 404),
    ("GET", "/studio/services/pay/events/stream", 200, "/studio/services/none/events/stream", 404),
    ("GET", "/studio/tasks/pay/t1/events/stream", 200, "/studio/tasks/none/t1/events/stream", 404),
    ("GET", "/studio/failed-task-email-settings", 200, "/studio/failed-task-email-settings/x", 404),
    ("PATCH", "/studio/failed-task-email-settings", 200, "/studio/failed-task-email-settings?bad", 400),
    ("GET", "/studio/services/pay/status/t1", 200, "/studio/services/none/status/t1", 404),
    ("GET", "/studio/services/pay/history?task_id=t1", 200, "/studio/services/none/history", 404),
    ("GET", "/studio/services/pay/workflow/topology", 200, "/studio/services/none/workflow/topology", 404),
    ("GET", "/studio/services/pay/dlq/messages", 200, "/studio/services/none/dlq/messages", 404),
    (
        "GET",
        "/studio/services/pay/broker/dlq/messages",
        200,
        "/studio/services/none/broker/dlq/messages",
        404,
    ),
    ("GET", "/studio/failed-tasks", 200, "/studio/failed-tasks?service_id=a%3Ab", 400),
    ("GET", "/studio/failed-tasks/pay/f1", 200, "/studio/failed-tasks/pay/nobody", 404),
    (
        "POST",
        "/studio/failed-tasks/pay/f1/mark-investigated",
        200,
        "/studio/failed-tasks/none/f1/mark-investigated",
        404,
    ),
    (
        "POST",
        "/studio/failed-tasks/pay/f1/mark-uninvestigated",
        200,
        "/studio/failed-tasks/none/f1/mark-uninvestigated",
        404,
    ),
    ("POST", "/studio/failed-tasks/pay/f1/retry", 200, "/studio/failed-tasks/pay/f1/retry", 409),
    ("DELETE", "/studio/failed-tasks/pay/f1", 204, "/studio/failed-tasks/none/f1", 404),
    (
        "GET",
        "/studio/services/pay/executions/t1/graph",
        200,
        "/studio/services/none/executions/t1/graph",
        404,
    ),
    (
        "GET",
        "/studio/services/pay/runtime/backpressure",
        200,
        "/studio/services/none/runtime/backpressure",
        404,
    ),
    ("GET", "/studio/tasks/pay/t1", 200, "/studio/tasks/none/t1", 404),
    ("GET", "/studio/services/pay/health", 200, "/studio/services/none/health", 404),
    ("POST", "/studio/services/pay/health/refresh", 200, "/studio/services/none/health/refresh", 404),
    ("GET", "/studio/services/pay/logs", 200, "/studio/services/none/logs", 404),
    ("GET", "/studio/tasks/pay/t1/logs", 200, "/studio/tasks/none/t1/logs", 404),
    ("GET", "/studio/services/pay/metrics", 200, "/studio/services/none/metrics", 404),
    ("GET", "/studio/services/pay/pods", 200, "/studio/services/none/pods", 404),
    ("GET", "/studio/tasks/pay/t1/metrics", 200, "/studio/tasks/none/t1/metrics", 404),
    ("POST", "/studio/services", 201, "/studio/services", 409),
    ("GET", "/studio/services?environment=dev", 200, "/studio/services?environment=a%3Ab", 400),
    ("GET", "/studio/gateway/services", 200, "/studio/gateway/nothing", 404),
    ("GET", "/studio/services/pay", 200, "/studio/services/none", 404),
    ("PATCH", "/studio/services/pay", 200, "/studio/services/none", 404),
    ("POST", "/studio/services/pay/refresh", 200, "/studio/services/none/refresh", 404),
    ("GET", "/studio/tasks/search?status=running", 200, "/studio/tasks/search", 422),
    ("GET", "/studio/services/search?query=pa", 200, "/studio/services/search?limit=x", 400),
    ("GET", "/studio/tasks/pay/t1/traces", 200, "/studio/tasks/none/t1/traces", 404),
    ("GET", "/studio/tasks/pay/t1/trace-path", 200, "/studio/tasks/none/t1/trace-path", 404),
    ("DELETE", "/studio/services/pay", 204, "/studio/services/pay", 404),
];

/// What is sent to an address that takes something.
fn sent(address: &str) -> Value {
    match address {
        "/studio/services" => {
            json!({ "service_id": "mail", "base_url": "https://8.8.4.4", "environment": "dev" })
        }
        "/studio/services/pay" | "/studio/services/none" => json!({ "tags": ["core"] }),
        "/studio/failed-task-email-settings" => json!({ "enabled": true }),
        "/studio/failed-task-email-settings?bad" => json!({ "enabled": "maybe" }),
        "/studio/ingest/events" => {
            json!({ "events": [{ "service_id": "pay", "ingest_method": "push", "event": { "cursor": "e1",
            "task_id": "t1", "event_type": "status.running", "source_kind": "status", "event_id": "e1", "payload": {} } }] })
        }
        _ => json!({}),
    }
}

async fn asked(server: &Server, method: &str, address: &str) -> reqwest::Response {
    match method {
        "GET" | "DELETE" => server.ask(method.parse().unwrap(), address).send().await.unwrap(),
        _ => server.send(method.parse().unwrap(), address, sent(address)).await,
    }
}

async fn each(server: &Server, rows: &[Row]) {
    for (method, address, good, refused, bad) in rows {
        let bare = server.bare(method.parse().unwrap(), address).send().await.unwrap();
        assert_eq!(bare.status(), 401, "{method} {address} without a token");
        // A stream is not read to its end: its status is the answer.
        assert_eq!(asked(server, method, address).await.status(), *good, "{method} {address}");
        let (status, why) = read(asked(server, method, refused).await).await;
        assert_eq!(status, *bad, "{method} {refused}: {why}");
        assert!(why["code"].is_string() && why["request_id"].is_string(), "{method} {refused}: {why}");
    }
}

#[tokio::test]
async fn every_address_of_a_service_answers_and_refuses() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::start(bench).await;
        for id in ["d1", "d2"] {
            let record = json!({ "dlq_id": id, "queue_name": "q.dlq", "source_queue_name": "q", "retry_queue_name": "q.retry",
                "reason": "timeout", "task_id": "t1", "body": { "n": 1 }, "dead_lettered_at": "2026-11-16T12:00:00Z" });
            assert_eq!(server.post("/api/v1/dead/records", json!({ "record": record })).await.0, 200);
        }
        let stages = json!([{ "name": "fetch", "terminal": true }]);
        let define = json!({ "topology": { "entry": ["fetch"], "stages": stages } });
        assert_eq!(server.send("PUT".parse().unwrap(), "/api/v1/workflows/w", define).await.status(), 200);
        let report = json!({ "status": "completed", "event_id": "e1" });
        assert_eq!(server.post("/api/v1/tasks/t1/status", report).await.0, 200);
        each(&server, &OF_A_SERVICE).await;
    })
    .await;
}

/// A service outside that has something of everything, and where its logs, metrics and traces are.
async fn outside(bench: &Bench, server: &Server) -> Outside {
    let outside = Outside::start().await;
    let config = bench.scope.keys.ade().config(&"studio_push_ingest_enabled".parse().unwrap());
    bench.cli(&format!("SET {config} true")).await;
    let of = |kind: &str| json!({ "status": "success", "data": { "resultType": kind, "result": [] } });
    for (asked, said) in [
        ("GET /status/t1", json!({ "task_id": "t1", "event": { "status": "running" } })),
        ("GET /history", json!({ "count": 0, "events": [] })),
        ("GET /workflow/topology", json!({ "nodes": [], "edges": [] })),
        ("GET /dlq/messages", json!({ "items": [] })),
        ("GET /broker/dlq/messages", json!({ "items": [] })),
        ("GET /failed-tasks", json!({ "items": [] })),
        ("GET /failed-tasks/f1", json!({ "failure_id": "f1" })),
        ("POST /failed-tasks/f1/mark-investigated", json!({ "failure_id": "f1" })),
        ("POST /failed-tasks/f1/mark-uninvestigated", json!({ "failure_id": "f1" })),
        ("POST /failed-tasks/f1/retry", json!({ "failure_id": "f1" })),
        ("DELETE /failed-tasks/f1", json!({})),
        ("GET /executions/t1/graph", json!({ "task_id": "t1", "nodes": [], "edges": [] })),
        ("GET /relayna/runtime/backpressure", json!({ "signals": [] })),
        (
            "GET /relayna/capabilities",
            json!({ "topology_kind": "x", "supported_routes": [], "service_metadata": {} }),
        ),
        ("GET /loki/api/v1/query_range", of("streams")),
        ("GET /api/v1/query_range", of("matrix")),
        ("GET /api/v1/query", of("vector")),
    ] {
        outside.answers(asked, 200, said);
    }
    let labels = json!({ "app": "pay" });
    let wanted = json!({ "service_id": "pay", "base_url": outside.url, "environment": "dev",
        "log_config": { "base_url": outside.url, "service_selector_labels": labels, "task_id_label": "task" },
        "metrics_config": { "base_url": outside.url, "namespace": "shop", "service_selector_labels": labels } });
    assert_eq!(server.post("/studio/services", wanted).await.0, 201);
    outside
}

#[tokio::test]
async fn every_address_of_a_studio_answers_and_refuses() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::calling(bench).await;
        let _outside = outside(bench, &server).await;
        each(&server, &OF_A_STUDIO).await;
    })
    .await;
}

#[tokio::test]
async fn the_path_of_a_task_has_its_graph_and_at_each_node_what_else_is_known() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::calling(bench).await;
        let outside = outside(bench, &server).await;
        let trace = "0af7651916cd43dd8448eb211c80319c";
        let node = |id: &str, kind: &str, more: Value| {
            json!({ "id": id, "kind": kind, "task_id": "t1", "label": id, "timestamp": "2026-11-18T10:00:00Z", "state": "failed", "annotations": more })
        };
        let nodes = json!([node("task:t1", "task", json!({})), node("stage:1", "stage_attempt", json!({ "stage": "charge" }))]);
        let edges = json!([{ "source": "task:t1", "target": "stage:1", "kind": "entered_stage" }, { "source": 5 }]);
        let summary = json!({ "status": "failed", "graph_completeness": "full" });
        outside.answers("GET /executions/t1/graph", 200, json!({ "task_id": "t1", "nodes": nodes, "edges": edges, "summary": summary }));
        outside.answers("GET /status/t1", 200, json!({ "event": { "status": "failed", "trace_id": trace, "correlation_id": "order-7" } }));
        let letter = json!({ "dlq_id": "d9", "queue_name": "q.dlq", "reason": "timeout", "dead_lettered_at": "2026-11-18T10:00:09Z" });
        outside.answers("GET /dlq/messages", 200, json!({ "items": [letter] }));
        let span = |id: &str, parent: &str, name: &str| {
            json!({ "traceId": trace, "spanId": id, "parentSpanId": parent, "name": name, "startTimeUnixNano": "1794996000000000000",
                "endTimeUnixNano": "1794996001000000000", "attributes": if name == "charge" { json!({ "stage": "charge" }) } else { json!({}) } })
        };
        let spans = json!([span("0001020304050607", "", "charge"), span("1001020304050607", "0001020304050607", "bank")]);
        outside.answers(&format!("GET /api/traces/{trace}"), 200, json!({ "batches": [{ "scopeSpans": [{ "spans": spans }] }] }));
        let change = json!({ "trace_config": { "base_url": outside.url } });
        server.send("PATCH".parse().unwrap(), "/studio/services/pay", change).await;
        assert_eq!(server.post("/studio/ingest/events", sent("/studio/ingest/events")).await.0, 200);
        let (status, path) = server.get("/studio/tasks/pay/t1/trace-path").await;
        assert_eq!(status, 200, "{path}");
        let of = |id: &str| path["nodes"].as_array().unwrap().iter().find(|node| node["id"] == id).unwrap().clone();
        assert_eq!((&path["summary"]["status"], &path["summary"]["trace_ids"]), (&json!("failed"), &json!([trace])));
        assert_eq!((&path["summary"]["span_count"], &path["summary"]["event_count"], &path["summary"]["dlq_count"]), (&json!(2), &json!(1), &json!(1)));
        assert_eq!((&of("stage:1")["span_id"], &of("stage:1")["evidence"][1]["source"]), (&json!("0001020304050607"), &json!("span")));
        assert_eq!((&of("dlq:t1:d9")["state"], &of("span:1001020304050607")["kind"]), (&json!("dead_lettered"), &json!("span")));
        assert_eq!(of("task:t1")["evidence"][1]["source"], "studio_event");
        let kinds: Vec<&str> = path["edges"].as_array().unwrap().iter().filter_map(|edge| edge["kind"].as_str()).collect();
        assert_eq!(kinds.len(), 3, "{kinds:?}");
        for kind in ["entered_stage", "dead_lettered_to", "span_child"] {
            assert!(kinds.contains(&kind), "{kinds:?}");
        }
        assert_eq!((&path["log_metadata"]["query"], &path["log_metadata"]["configured"]), (&json!("t1 OR order-7"), &json!(true)));
        // A service that draws no graph, and a source that is away: what is left is a path, and it says what is missing.
        outside.answers("GET /executions/t1/graph", 500, json!({}));
        outside.answers(&format!("GET /api/traces/{trace}"), 500, json!({}));
        let told = json!([{ "status": "failed", "timestamp": "2026-11-18T10:00:05Z" }, { "status": "queued", "timestamp": "2026-11-18T10:00:00Z" }]);
        outside.answers("GET /history", 200, json!({ "events": told }));
        let (status, path) = server.get("/studio/tasks/pay/t1/trace-path").await;
        let labels: Vec<&str> = path["nodes"].as_array().unwrap().iter().filter_map(|node| node["label"].as_str()).collect();
        assert_eq!((status, labels), (200, vec!["t1", "queued", "failed", "timeout"]), "{path}");
        assert_eq!(path["warnings"].as_array().unwrap().len(), 2, "{path}");
    })
    .await;
}
