//! Relayna's addresses of services.

use std::time::Duration;

use quorate_testkit::check;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Server, read};

fn event(id: &str) -> Value {
    json!({ "service_id": "pay", "ingest_method": "push",
        "event": { "cursor": id, "task_id": "t", "event_type": "status.queued", "source_kind": "status", "event_id": id, "payload": {} } })
}

async fn allow(bench: &quorate_testkit::Bench) {
    let setting = bench.scope.keys.ade().config(&"studio_push_ingest_enabled".parse().unwrap());
    bench.cli(&format!("SET {setting} true")).await;
}

#[tokio::test]
async fn relaynas_addresses_of_the_registry_answer_in_its_shapes() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::start(bench).await;
        let wanted = json!({ "service_id": "pay", "name": "Pay", "base_url": "https://8.8.8.8/", "environment": "dev", "tags": [], "auth_mode": "internal_network" });
        let (status, made) = server.post("/studio/services", wanted.clone()).await;
        assert_eq!((status, &made["base_url"]), (201, &json!("https://8.8.8.8")));
        assert_eq!(server.post("/studio/services", wanted.clone()).await.0, 409);
        let mut near = wanted;
        (near["service_id"], near["base_url"]) = ("near".into(), "http://127.0.0.1".into());
        assert_eq!(server.post("/studio/services", near).await.0, 422);
        let (status, all) = server.get("/studio/services?environment=dev").await;
        assert_eq!((status, &all["count"], &all["services"][0]["health"]["service_id"]), (200, &json!(1), &json!("pay")));
        assert_eq!(server.get("/studio/services?environment=prod").await.1["count"], 0);
        let (status, changed) = read(server.send(Method::PATCH, "/studio/services/pay", json!({ "status": "disabled" })).await).await;
        assert_eq!((status, &changed["status"]), (200, &json!("disabled")));
        let by_hand = server.send(Method::PATCH, "/studio/services/pay", json!({ "status": "healthy" })).await;
        assert_eq!(by_hand.status(), 400, "healthy is not said by hand");
        assert_eq!(server.get("/studio/services/pay/health").await.1["overall_status"], "disabled");
        assert_eq!(server.get("/studio/services/pay/status/t").await.1["code"], "service_disabled");
        let gone = server.send(Method::DELETE, "/studio/services/pay", json!({})).await;
        assert_eq!(gone.status(), 204);
        assert_eq!(server.get("/studio/services/pay").await.0, 404);
        assert_eq!(server.bare(Method::GET, "/studio/services").send().await.unwrap().status(), 401);
    })
    .await;
}

#[tokio::test]
async fn events_are_pushed_listed_and_streamed_with_what_there_was_first() {
    check(&quorate_plane::invariants(), async |bench| {
        let server = Server::start(bench).await;
        server.service("pay", "https://8.8.8.8").await;
        let (status, refused) =
            server.post("/studio/ingest/events", json!({ "events": [event("e1")] })).await;
        assert_eq!((status, &refused["code"]), (403, &json!("push_disabled")));
        allow(bench).await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let (status, count) = server
            .post("/studio/ingest/events", json!({ "events": [event("e1"), event("e2"), event("e1")] }))
            .await;
        assert_eq!((status, count), (200, json!({ "inserted": 2, "duplicate": 1, "invalid": 0 })));
        let (_, page) = server.get("/studio/services/pay/events?limit=1").await;
        let next = page["next_cursor"].as_str().unwrap().to_owned();
        assert_eq!((next.as_str(), &page["items"][0]["event_id"]), ("pay:status:e2", &json!("e2")));
        let (_, page) = server.get(&format!("/studio/tasks/pay/t/events?before={next}")).await;
        assert_eq!((&page["items"][0]["event_id"], &page["next_cursor"]), (&json!("e1"), &Value::Null));
        for (path, last, shown) in [
            ("/studio/services/pay/events/stream", None, vec!["e1", "e2", "e3"]),
            ("/studio/tasks/pay/t/events/stream", Some("pay:status:e1"), vec!["e2", "e3", "e4"]),
        ] {
            let mut request = server.ask(Method::GET, path);
            if let Some(last) = last {
                request = request.header("last-event-id", last);
            }
            let mut response = request.send().await.unwrap();
            let (mut text, mut told) = (String::new(), false);
            while !text.contains(&format!("id: pay:status:{}\n", shown.last().unwrap())) {
                let chunk = tokio::time::timeout(Duration::from_secs(10), response.chunk())
                    .await
                    .expect("it says something");
                text.push_str(std::str::from_utf8(&chunk.unwrap().unwrap()).unwrap());
                if !told && text.contains("pay:status:e2\n") {
                    told = true;
                    server
                        .post("/studio/ingest/events", json!({ "events": [event(shown.last().unwrap())] }))
                        .await;
                }
            }
            let ids: Vec<&str> =
                text.lines().filter_map(|line| line.strip_prefix("id: pay:status:")).collect();
            assert!(text.starts_with("event: ready\n"));
            assert_eq!(ids, shown, "{path}: each once, the oldest first");
        }
        assert_eq!(server.get("/studio/services/none/events/stream").await.0, 404);
    })
    .await;
}
