//! Relayna's own addresses: those of failed tasks, of notices and of what the plane offers, in the shapes its clients know.

use quorate_testkit::check;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Server, read};

async fn fail(server: &Server, id: &str) {
    let record = json!({ "dlq_id": id, "queue_name": "q.dlq", "source_queue_name": "q", "retry_queue_name": "q.retry", "reason": "timeout",
        "exception_type": "TimeoutError", "task_id": "t1", "body": { "n": 1 }, "dead_lettered_at": "2026-11-16T12:00:00Z" });
    assert_eq!(server.post("/api/v1/dead/records", json!({ "record": record })).await.0, 200);
}

#[tokio::test]
async fn failed_tasks_are_reviewed_and_retried_at_relaynas_addresses() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::start(bench).await;
        fail(&server, "d1").await;
        let (status, page) =
            server.get("/failed-tasks?error_type=TimeoutError&investigation_status=unreviewed&limit=5").await;
        assert_eq!(
            (status, &page["items"][0]["failure_id"], &page["next_cursor"]),
            (200, &json!("d1"), &Value::Null)
        );
        for bad in ["limit=0", "limit=x", "investigation_status=seen", "failed_from=yesterday"] {
            assert_eq!(server.get(&format!("/failed-tasks?{bad}")).await.0, 400, "{bad}");
        }
        let (status, seen) = server
            .post(
                "/failed-tasks/d1/mark-investigated",
                json!({ "investigated_by": "x", "note": "a full disk" }),
            )
            .await;
        assert_eq!(
            (status, &seen["investigation_status"], &seen["investigation_note"]),
            (200, &json!("investigated"), &json!("a full disk"))
        );
        let bare = server.ask(Method::POST, "/failed-tasks/d1/mark-uninvestigated").send().await.unwrap();
        assert_eq!(read(bare).await.1["investigation_status"], "unreviewed");
        let retry = "/failed-tasks/d1/retry";
        let (status, done) = server
            .post(
                retry,
                json!({ "target_queue": "small", "override_payload": { "task_id": "t2" }, "note": "less" }),
            )
            .await;
        assert_eq!(
            (status, &done["target_queue"], &done["retried_task_id"], &done["retry_status"]),
            (200, &json!("small"), &json!("t2"), &json!("retried"))
        );
        let (status, why) = server.post(retry, json!({})).await;
        assert_eq!(
            (status, &why["code"]),
            (409, &json!("already_replayed")),
            "a second click publishes nothing"
        );
        let text = server
            .ask(Method::POST, retry)
            .header("content-type", "text/plain")
            .body("{}")
            .send()
            .await
            .unwrap();
        assert_eq!(text.status(), 415);
        assert_eq!(server.post("/failed-tasks/nobody/retry", json!({})).await.0, 404);
        let gone = server.ask(Method::DELETE, "/failed-tasks/d1").send().await.unwrap();
        assert_eq!(gone.status(), 204);
        assert_eq!(server.get("/failed-tasks/d1").await.0, 404);
        assert_eq!(server.bare(Method::GET, "/failed-tasks").send().await.unwrap().status(), 401);
    })
    .await;
}

#[tokio::test]
async fn notices_have_the_address_and_the_shape_of_relaynas_studio() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::start(bench).await;
        let path = "/studio/failed-task-email-settings";
        let usual = json!({ "configured": false, "enabled": false, "batch_wait_seconds": 0, "max_batch_wait_seconds": 604_800, "receivers": [] });
        assert_eq!(server.get(path).await, (200, usual));
        let (status, set) = read(server.send(Method::PATCH, path, json!({ "enabled": true, "batch_wait_seconds": 3_600 })).await).await;
        assert_eq!((status, &set["enabled"], &set["batch_wait_seconds"]), (200, &json!(true), &json!(3_600)));
        for bad in [json!({}), json!({ "batch_wait_seconds": 604_801 }), json!({ "receivers": ["x"] }), json!([])] {
            assert_eq!(server.send(Method::PATCH, path, bad.clone()).await.status(), 400, "{bad}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_plane_says_of_itself_what_a_service_of_relaynas_kind_says() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::start(bench).await;
        fail(&server, "d1").await;
        let (status, offers) = server.get("/relayna/capabilities").await;
        assert_eq!((status, &offers["service_metadata"]["compatibility"]), (200, &json!("capabilities_v1")));
        for route in ["events.feed", "broker.dlq.messages"] {
            assert!(offers["supported_routes"].as_array().unwrap().contains(&json!(route)), "{route}");
        }
        server.post("/api/v1/agents", json!({ "agent": "w1" })).await;
        let (status, workers) = server.get("/relayna/health/workers").await;
        assert_eq!((status, &workers["workers"][0]["worker_name"], &workers["workers"][0]["running"]), (200, &json!("w1"), &json!(true)));
        assert!(workers["workers"][0]["last_heartbeat_at"].as_str().unwrap().ends_with('Z'));
        assert_eq!(server.get("/workflow/topology").await.0, 404, "there is none yet");
        let stages = json!([{ "name": "fetch", "allowed_next_stages": ["store"] }, { "name": "store", "terminal": true, "queue": "stores" }]);
        let define = json!({ "topology": { "entry": ["fetch"], "stages": stages } });
        let (status, made) = read(server.send(Method::PUT, "/api/v1/workflows/w", define).await).await;
        assert_eq!(status, 200, "{made}");
        let (status, drawn) = server.get("/workflow/topology").await;
        assert_eq!((status, &drawn["edges"][0]["target"]), (200, &json!("stage:store")));
        assert_eq!(server.get("/workflow/stages?workflow=w").await.1["stages"][1]["queue"], "stores");
        assert_eq!(server.get("/broker/dlq/queues").await.1["queues"][0]["queue_name"], "q.dlq");
        assert_eq!(server.get("/broker/dlq/messages?queue_name=q.dlq&limit=5").await.1["items"][0]["dlq_id"], "d1");
        for (id, url) in [("Pay.api", "https://8.8.8.8"), ("pay-api", "https://8.8.4.4")] {
            server.service(id, url).await;
        }
        let (status, all) = server.get("/studio/gateway/services").await;
        let names: Vec<&str> = all["services"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert_eq!((status, names), (200, vec!["pay-api", "pay-api-2"]));
        assert!(all["services"][0].get("log_config").is_none());
    })
    .await;
}

/// Regression of Relayna 1.4.3: the word `search` stands where a service's id may stand.
#[tokio::test]
async fn the_search_of_services_is_not_taken_for_a_service() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::start(bench).await;
        server.service("pay", "https://8.8.8.8").await;
        let (status, found) = server.get("/studio/services/search?query=pa").await;
        assert_eq!(
            (status, &found["count"], &found["items"][0]["service_id"]),
            (200, &json!(1), &json!("pay"))
        );
        assert_eq!(server.get("/studio/tasks/search?status=failed").await.0, 200);
        assert_eq!(server.get("/studio/tasks/search").await.0, 422, "one filter at least");
        assert_eq!(server.service("search", "https://8.8.4.4").await.0, 400, "and no service has that name");
    })
    .await;
}
