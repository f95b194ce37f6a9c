//! Relayna's addresses of failed tasks, one by one: of this plane, and of a service that stands outside.

use quorate_testkit::check;
use reqwest::Method;
use serde_json::{Value, json};

use crate::outside::Outside;
use crate::support::{Server, read};

/// Ids that no failed task has, as they stand in a path, and how each ends.
const HOSTILE: [&str; 8] =
    ["%22%7D", "a%3Ab", "..%2f..%2fadmin", "%00", "a%0D%0Ab", "%7B%7D", "%F0%9F%A6%80", "%2A"];

async fn fail(server: &Server, id: &str, more: Value) {
    let mut record = json!({ "dlq_id": id, "queue_name": "q.dlq", "source_queue_name": "q", "retry_queue_name": "q.retry", "reason": "timeout",
        "task_id": "t1", "body": { "n": 1 }, "dead_lettered_at": "2026-11-16T12:00:00Z" });
    record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    assert_eq!(server.post("/api/v1/dead/records", json!({ "record": record })).await.0, 200);
}

async fn send(server: &Server, method: &str, path: &str, body: Value) -> (u16, Value) {
    read(server.send(method.parse().unwrap(), path, body).await).await
}

#[tokio::test]
async fn every_address_of_a_failed_task_knows_what_is_not_there_and_what_never_could_be() {
    check(&quorate_plane::invariants(), async |bench| {
        let (server, outside) = (Server::calling(bench).await, Outside::start().await);
        server.service("pay", &outside.url).await;
        fail(&server, "d1", json!({})).await;
        for base in ["/failed-tasks", "/studio/failed-tasks/pay", "/studio/failed-tasks/none"] {
            for (method, end) in [
                ("GET", ""),
                ("DELETE", ""),
                ("POST", "/mark-investigated"),
                ("POST", "/mark-uninvestigated"),
                ("POST", "/retry"),
            ] {
                let (status, why) = send(&server, method, &format!("{base}/nobody{end}"), json!({})).await;
                assert_eq!(status, 404, "{method} {base}/nobody{end}: {why}");
                for id in HOSTILE {
                    let (status, why) = send(&server, method, &format!("{base}/{id}{end}"), json!({})).await;
                    assert!([400, 404].contains(&status), "{method} {base}/{id}{end}: {status} {why}");
                }
                let path = format!("{base}/d1{end}");
                let bare = server.bare(method.parse().unwrap(), &path).send().await.unwrap();
                assert_eq!(bare.status(), 401, "{method} {path}");
            }
        }
        let asked = outside.asked();
        assert!(
            asked.iter().all(|asked| asked.what.contains("/failed-tasks/nobody")),
            "no hostile id left the house"
        );
        assert_eq!(
            server.get("/failed-tasks/d1").await.1["investigation_status"],
            "unreviewed",
            "nothing was changed"
        );
    })
    .await;
}

#[tokio::test]
async fn a_failed_task_is_retried_only_when_it_has_ended_and_its_body_was_kept() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::start(bench).await;
        fail(&server, "d1", json!({ "status": "retrying" })).await;
        let (status, why) = server.post("/failed-tasks/d1/retry", json!({})).await;
        assert_eq!((status, &why["code"]), (409, &json!("not_ended")), "{why}");
        fail(&server, "d2", json!({ "payload_available": false })).await;
        let (status, why) = server.post("/failed-tasks/d2/retry", json!({})).await;
        assert_eq!((status, &why["code"]), (409, &json!("no_body")), "{why}");
        let (status, done) =
            server.post("/failed-tasks/d2/retry", json!({ "override_payload": { "task_id": "t9" } })).await;
        assert_eq!((status, &done["retried_task_id"]), (200, &json!("t9")));
        assert_eq!(
            server
                .post("/failed-tasks/d2/retry?force=true", json!({ "override_payload": { "n": 2 } }))
                .await
                .0,
            200,
            "it was forced"
        );
        for bad in [json!([]), json!("x"), json!({ "target_queue": 5 })] {
            assert_eq!(server.post("/failed-tasks/d2/retry", bad.clone()).await.0, 400, "{bad}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_failed_task_of_a_service_is_shown_reviewed_retried_once_and_deleted_there() {
    check(&quorate_plane::invariants(), async |bench| {
        let (server, outside) = (Server::calling(bench).await, Outside::start().await);
        server.service("pay", &outside.url).await;
        let base = "/studio/failed-tasks/pay/f1";
        let shown = json!({ "failure_id": "f1", "investigation_status": "unreviewed" });
        outside.answers("GET /failed-tasks/f1", 200, shown.clone());
        outside.answers(
            "POST /failed-tasks/f1/mark-investigated",
            200,
            json!({ "failure_id": "f1", "investigation_status": "investigated" }),
        );
        outside.answers("POST /failed-tasks/f1/mark-uninvestigated", 200, shown);
        outside.answers(
            "POST /failed-tasks/f1/retry",
            200,
            json!({ "failure_id": "f1", "retry_status": "retried" }),
        );
        outside.answers("DELETE /failed-tasks/f1", 204, Value::Null);
        let (status, one) = server.get(base).await;
        assert_eq!(
            (status, &one["failure_id"], &one["service_id"], &one["environment"]),
            (200, &json!("f1"), &json!("pay"), &json!("dev"))
        );
        let (status, seen) = server
            .post(
                &format!("{base}/mark-investigated"),
                json!({ "note": "a full disk", "investigated_by": "somebody else" }),
            )
            .await;
        assert_eq!((status, &seen["investigation_status"]), (200, &json!("investigated")));
        assert_eq!(server.post(&format!("{base}/mark-uninvestigated"), json!({})).await.0, 200);
        let (status, done) =
            server.post(&format!("{base}/retry"), json!({ "target_queue": "small", "note": "less" })).await;
        assert_eq!((status, &done["retry_status"]), (200, &json!("retried")));
        let (status, why) = server.post(&format!("{base}/retry"), json!({})).await;
        assert_eq!((status, &why["code"]), (409, &json!("already_replayed")), "a second click asks nobody");
        assert_eq!(server.ask(Method::DELETE, base).send().await.unwrap().status(), 204);
        let asked = outside.asked();
        let whats: Vec<&str> = asked.iter().map(|asked| asked.what.as_str()).collect();
        assert_eq!(
            whats,
            [
                "GET /failed-tasks/f1",
                "POST /failed-tasks/f1/mark-investigated",
                "POST /failed-tasks/f1/mark-uninvestigated",
                "POST /failed-tasks/f1/retry",
                "DELETE /failed-tasks/f1"
            ]
        );
        assert_eq!(
            (&asked[1].body["note"], &asked[1].body["investigated_by"]),
            (&json!("a full disk"), &json!("root")),
            "who it was is who asked"
        );
        assert_eq!(
            (&asked[3].body["target_queue"], &asked[3].body["retried_by"]),
            (&json!("small"), &json!("root"))
        );
        outside.answers(
            "POST /failed-tasks/f2/retry",
            409,
            json!({ "detail": { "error": "not_retryable" } }),
        );
        let (status, why) = server.post("/studio/failed-tasks/pay/f2/retry", json!({})).await;
        assert_eq!((status, &why["code"]), (409, &json!("refused_there")));
        let text = server
            .ask(Method::POST, &format!("{base}/retry"))
            .header("content-type", "text/plain")
            .body("{}")
            .send()
            .await
            .unwrap();
        assert_eq!(text.status(), 415);
    })
    .await;
}

#[tokio::test]
async fn the_failed_tasks_of_all_services_are_listed_with_who_did_not_answer() {
    check(&quorate_plane::invariants(), async |bench| {
        let (server, outside) = (Server::calling(bench).await, Outside::start().await);
        server.service("pay", &outside.url).await;
        server.service("away", &format!("{}/away", outside.url)).await;
        outside.answers(
            "GET /failed-tasks",
            200,
            json!({ "items": [{ "failure_id": "f1", "task_id": "t1" }] }),
        );
        let (status, all) =
            server.get("/studio/failed-tasks?environment=dev&investigation_status=unreviewed&limit=5").await;
        assert_eq!(
            (status, &all["count"], &all["items"][0]["service_id"]),
            (200, &json!(1), &json!("pay")),
            "{all}"
        );
        assert_eq!(
            (&all["errors"][0]["service_id"], &all["scanned_services"]),
            (&json!("away"), &json!(["away", "pay"]))
        );
        let asked = outside.asked().into_iter().find(|asked| asked.what == "GET /failed-tasks").unwrap();
        assert_eq!(
            (asked.param("investigation_status").as_str(), asked.param("limit").as_str()),
            ("unreviewed", "5")
        );
        let (_, none) = server.get("/studio/failed-tasks?service_id=none").await;
        assert_eq!((&none["count"], &none["scanned_services"]), (&json!(0), &json!([])));
        assert_eq!(server.get("/studio/failed-tasks?service_id=a%3Ab").await.0, 400);
    })
    .await;
}
