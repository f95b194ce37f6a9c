//! Logs, metrics, pods and traces at Relayna's addresses, in its shapes and under its numbers.

use quorate_testkit::check;
use reqwest::Method;
use serde_json::{Value, json};

use crate::outside::Outside;
use crate::support::{Server, read};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn places(outside: &Outside) -> Value {
    let labels = json!({ "app": "pay" });
    json!({
        "log_config": { "base_url": outside.url, "tenant_id": "shop", "service_selector_labels": labels, "task_id_label": "task" },
        "metrics_config": { "base_url": outside.url, "namespace": "shop", "service_selector_labels": labels },
        "trace_config": { "base_url": outside.url },
    })
}

async fn patch(server: &Server, change: Value) -> (u16, Value) {
    read(server.send(Method::PATCH, "/studio/services/pay", change).await).await
}

#[tokio::test]
async fn what_is_not_configured_unknown_or_does_not_answer_has_relaynas_number() {
    check(&quorate_plane::invariants(), async |bench| {
        let (server, outside) = (Server::calling(bench).await, Outside::start().await);
        server.service("pay", &outside.url).await;
        for path in [
            "services/pay/logs",
            "tasks/pay/t1/logs",
            "services/pay/metrics",
            "tasks/pay/t1/metrics",
            "services/pay/pods",
        ] {
            let (status, why) = server.get(&format!("/studio/{path}")).await;
            assert_eq!((status, &why["code"]), (501, &json!("not_configured")), "{path}");
            let (status, _) = server.get(&format!("/studio/{}", path.replace("pay", "none"))).await;
            assert_eq!(status, 404, "{path}");
        }
        let (status, none) = server.get("/studio/tasks/pay/t1/traces").await;
        assert_eq!(
            (status, &none["trace_ids"], none["warnings"].as_array().unwrap().len()),
            (200, &json!([]), 2)
        );
        assert_eq!(server.get("/studio/tasks/none/t1/traces").await.0, 404);
        assert_eq!(patch(&server, places(&outside)).await.0, 200);
        for path in ["services/pay/logs", "services/pay/metrics", "services/pay/pods", "tasks/pay/t1/metrics"]
        {
            let (status, why) = server.get(&format!("/studio/{path}")).await;
            assert_eq!((status, &why["code"]), (502, &json!("source_failed")), "{path}");
        }
        assert_eq!(
            server.get("/studio/services/pay/logs?source=web").await.0,
            422,
            "its record names no label for it"
        );
        for bad in [
            "logs?limit=0",
            "logs?limit=201",
            "logs?limit=x",
            "logs?before=x",
            "logs?from=9&to=8",
            "metrics?step=4",
            "metrics?group=x",
            "metrics?from=2026-01-02&to=2026-01-01",
            "metrics?from=soon",
            "metrics?from=2000-01-01",
        ] {
            assert_eq!(server.get(&format!("/studio/services/pay/{bad}")).await.0, 400, "{bad}");
        }
        assert_eq!(server.bare(Method::GET, "/studio/services/pay/logs").send().await.unwrap().status(), 401);
        let (status, ours) = server.get("/api/v1/services/pay/pods").await;
        assert_eq!(
            (status, &ours["code"]),
            (424, &json!("source_failed")),
            "our own addresses keep 5xx for our own faults"
        );
        let (status, changed) = patch(&server, json!({ "log_config": null })).await;
        assert_eq!((status, &changed["log_config"]), (200, &Value::Null));
        assert_eq!(server.get("/studio/services/pay/logs").await.0, 501);
        for bad in [
            json!({ "base_url": outside.url }),
            json!({ "base_url": outside.url, "service_selector_labels": { "a\"": "b" } }),
        ] {
            assert_eq!(patch(&server, json!({ "log_config": bad })).await.0, 400);
        }
    })
    .await;
}

#[tokio::test]
async fn logs_are_shown_and_a_hostile_id_stays_within_its_quotes() {
    check(&quorate_plane::invariants(), async |bench| {
        let (server, outside) = (Server::calling(bench).await, Outside::start().await);
        server.service("pay", &outside.url).await;
        patch(&server, places(&outside)).await;
        let values = json!([["1775469660000000000", "ends"], ["1775469600000000000", "\u{1b}[2J<script>"]]);
        let stream = json!({ "stream": { "app": "pay", "task": "t1" }, "values": values });
        outside.answers("GET /loki/api/v1/query_range", 200, json!({ "status": "success", "data": { "resultType": "streams", "result": [stream] } }));
        let (status, page) = server.get("/studio/tasks/pay/t1/logs?limit=1&level=&query=end").await;
        let line = json!({ "service_id": "pay", "task_id": "t1", "correlation_id": null, "timestamp": "2026-04-06T10:01:00.000000Z", "level": null,
            "source": "unknown", "message": "ends", "fields": { "labels": { "app": "pay", "task": "t1" }, "loki_cursor": "1775469660000000000" } });
        assert_eq!((status, page), (200, json!({ "count": 1, "items": [line], "next_cursor": "1775469660000000000" })));
        let asked = &outside.asked()[0];
        assert_eq!(asked.param("query"), r#"{app="pay",task="t1"} |= "end""#);
        assert_eq!((asked.param("limit").as_str(), asked.tenant.as_deref()), ("2", Some("shop")));
        for (hostile, inside) in [
            ("t%22%7D%20or%20%7Bapp%3D%22bank", r#"t\"} or {app=\"bank"#),
            ("t%5C", r"t\\"),
            ("t%0A%7Capp", r"t\u000a|app"),
        ] {
            assert_eq!(server.get(&format!("/studio/tasks/pay/{hostile}/logs")).await.0, 200);
            assert_eq!(server.get(&format!("/studio/services/pay/logs?task_id={hostile}")).await.0, 200);
            for asked in outside.asked() {
                assert_eq!(asked.param("query"), format!(r#"{{app="pay",task="{inside}"}}"#), "{hostile}");
            }
        }
        let (status, found) = server.get("/studio/tasks/search?task_id=t1").await;
        assert_eq!((status, &found["items"][0]["source"], &found["items"][0]["detail_path"]), (200, &json!("loki_fallback"), &json!("/studio/tasks/pay/t1")));
    })
    .await;
}

#[tokio::test]
async fn metrics_pods_and_traces_are_shown() {
    check(&quorate_plane::invariants(), async |bench| {
        let (server, outside) = (Server::calling(bench).await, Outside::start().await);
        server.service("pay", &outside.url).await;
        patch(&server, places(&outside)).await;
        let matrix = json!({ "status": "success", "data": { "resultType": "matrix", "result": [{ "metric": {}, "values": [[1_775_469_600, "0.5"], [1_775_469_630, "NaN"]] }] } });
        outside.answers("GET /api/v1/query_range", 200, matrix);
        let range = "from=2026-04-06T10:00:00Z&to=2026-04-06T10:05:00Z";
        let (status, found) = server.get(&format!("/studio/services/pay/metrics?{range}&step=60&group=cpu_usage&group=tasks_failed_rate")).await;
        assert_eq!((status, &found["from"], &found["step_seconds"], &found["task_id"]), (200, &json!("2026-04-06T10:00:00.000000Z"), &json!(60), &Value::Null));
        let series = &found["series"];
        assert_eq!((&series[0]["metric"], &series[1]["unit"], &series[1]["points"][1]["value"]), (&json!("cpu_usage"), &json!("per_second"), &Value::Null));
        assert_eq!(outside.asked().len(), 2);
        let (_, found) = server.get(&format!("/studio/tasks/pay/t1/metrics?{range}&group=restarts")).await;
        assert_eq!((&found["task_id"], &found["approximate"]), (&json!("t1"), &json!(true)));
        assert_eq!(server.get("/studio/tasks/pay/a%3Ab/metrics").await.0, 400, "no task has that name");
        let pod = json!({ "metric": { "namespace": "shop", "pod": "pay-1", "phase": "Running" } });
        outside.answers("GET /api/v1/query", 200, json!({ "status": "success", "data": { "resultType": "vector", "result": [pod] } }));
        let (status, pods) = server.get("/studio/services/pay/pods").await;
        assert_eq!((status, &pods["count"], &pods["pods"][0]["name"], &pods["pods"][0]["phase"]), (200, &json!(1), &json!("pay-1"), &json!("Running")));
        outside.answers("GET /status/t1", 200, json!({ "event": { "trace_id": TRACE } }));
        let span = json!({ "traceId": TRACE, "spanId": "0001020304050607", "name": "charge" });
        outside.answers(&format!("GET /api/traces/{TRACE}"), 200, json!({ "batches": [{ "scopeSpans": [{ "spans": [span] }] }] }));
        let (status, traces) = server.get("/studio/tasks/pay/t1/traces").await;
        assert_eq!((status, &traces["trace_ids"], &traces["spans"][0]["name"]), (200, &json!([TRACE]), &json!("charge")));
        assert_eq!(traces["spans"][0]["backend_url"], format!("{}/api/traces/{TRACE}", outside.url));
    })
    .await;
}
