//! Tasks by name.

use quorate_plane::invariants;
use quorate_testkit::check;
use serde_json::json;

use crate::support::Asker;

#[tokio::test]
async fn a_status_is_reported_once_and_read_back() {
    check(&invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let event = json!({ "task_id": "t1", "status": "running", "message": "x", "event_id": "e1",
            "meta": { "parent_task_id": "p" }, "result": [1, "two"], "fields": { "own": { "deep": 1 } } });
        let first = asker.done("tasks.status", event.clone()).await;
        assert_eq!(
            first,
            json!({ "outcome": "accepted", "task_id": "t1", "seq": 1, "place": "latest", "parent": "listed" })
        );
        let again = asker.done("tasks.status", event).await;
        assert_eq!((&again["outcome"], &again["seq"]), (&json!("duplicate"), &json!(1)));
        let shown = asker.done("tasks.show", json!({ "task_id": "t1" })).await;
        assert_eq!(
            (&shown["status"], &shown["latest"]["own"], &shown["latest"]["result"]),
            (&json!("running"), &json!({ "deep": 1 }), &json!([1, "two"]))
        );
        let history = asker.done("tasks.history", json!({ "task_id": "t1" })).await;
        assert_eq!((&history["events"][0]["seq"], &history["truncated"]), (&json!(1), &json!(false)));
        let children = asker.done("tasks.children", json!({ "task_id": "p" })).await;
        assert_eq!(children["children"], json!(["t1"]));
        let some = asker.done("tasks.ls", json!({ "task": ["t1", "nobody"] })).await;
        assert_eq!(some["tasks"].as_array().map(Vec::len), Some(1));
        let (status, refused) = asker.refused("tasks.show", json!({ "task_id": "nobody" })).await;
        assert_eq!((status, &refused["code"]), (404, &json!("no_task")));
        let ring = json!({ "task_id": "p", "status": "x", "meta": { "parent_task_id": "t1" } });
        assert_eq!(asker.refused("tasks.status", ring).await.0, 409);
    })
    .await;
}

#[tokio::test]
async fn observations_and_the_feed_are_read_by_name() {
    check(&invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let seen = json!({ "task_id": "t1", "event_type": "Seen", "fields": { "n": 1 } });
        assert_eq!(asker.done("tasks.observe", seen.clone()).await["outcome"], "accepted");
        assert_eq!(asker.done("tasks.observe", seen).await["outcome"], "duplicate");
        asker.done("tasks.status", json!({ "task_id": "t1", "status": "running", "event_id": "e1" })).await;
        let found = asker.done("tasks.observations", json!({ "task_id": "t1" })).await;
        assert_eq!(found["events"][0]["n"], 1);
        let page = asker.done("tasks.feed", json!({ "limit": 1 })).await;
        assert_eq!((&page["next_cursor"], &page["items"][0]["cursor"]), (&json!("e1"), &json!("e1")));
        let older = asker.done("tasks.feed", json!({ "after": "e1" })).await;
        assert_eq!((&older["count"], &older["items"][0]["event_type"]), (&json!(1), &json!("Seen")));
        let gap = asker.done("tasks.feed", json!({ "since": "nobody" })).await;
        assert_eq!((&gap["gap"]["reason"], &gap["count"]), (&json!("unknown"), &json!(2)));
        asker.bad("tasks.feed", &[json!({ "after": "a", "since": "b" }), json!({ "limit": 501 })]).await;
        let bad = [
            json!({ "task_id": "t1", "event_type": "" }),
            json!({ "task_id": "t1", "event_type": "x", "timestamp": "now" }),
            json!({ "task_id": "t1", "event_type": "x", "fields": { "task_id": "t2" } }),
        ];
        asker.bad("tasks.observe", &bad).await;
    })
    .await;
}

#[tokio::test]
async fn leases_graphs_and_pressure_are_asked_for_by_name() {
    check(&invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let lease = asker.done("tasks.lease", json!({ "task_id": "t1", "owner": "w1", "ttl": "30s" })).await;
        let (status, refused) = asker.refused("tasks.lease", json!({ "task_id": "t1", "owner": "w2" })).await;
        assert_eq!((status, &refused["code"]), (409, &json!("leased")));
        let with = |token: &serde_json::Value| json!({ "task_id": "t1", "owner": "w1", "token": token });
        assert_eq!(asker.done("tasks.beat", with(&lease["token"])).await["outcome"], "renewed");
        assert_eq!(asker.done("tasks.leases", json!({})).await[0]["owner"], "w1");
        assert_eq!(asker.done("tasks.release", with(&lease["token"])).await["outcome"], "released");
        assert_eq!(asker.refused("tasks.release", with(&lease["token"])).await.1["code"], "no_lease");
        assert_eq!(asker.refused("tasks.graph", json!({ "task_id": "t1" })).await.0, 404);
        asker.done("tasks.status", json!({ "task_id": "t1", "status": "running" })).await;
        let graph = asker.done("tasks.graph", json!({ "task_id": "t1", "mermaid": true })).await;
        assert!(graph["mermaid"].as_str().is_some_and(|text| text.starts_with("flowchart LR")), "{graph}");
        assert_eq!(asker.done("tasks.pressure", json!({})).await["signals"][0]["scope"], "queue");
        let bad = [
            json!({ "task_id": "t1", "owner": "" }),
            json!({ "task_id": "t1", "owner": "w", "ttl": "0s" }),
            json!({ "task_id": "t1", "owner": "w", "action": "retry" }),
            json!({ "task_id": "t1", "owner": "w", "action": "explode" }),
        ];
        asker.bad("tasks.lease", &bad).await;
    })
    .await;
}

#[tokio::test]
async fn what_is_no_status_is_bad_input() {
    check(&invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let with = |name: &str, value: serde_json::Value| {
            let mut event = json!({ "task_id": "t1", "status": "running" });
            event[name] = value;
            event
        };
        let bad = [
            with("task_id", json!("a:b")),
            with("task_id", json!("index")),
            with("status", json!(" ")),
            with("status", json!("x".repeat(257))),
            with("timestamp", json!("yesterday")),
            with("meta", json!([1])),
            with("meta", json!({ "parent_task_id": "*" })),
            with("fields", json!({ "task_id": "other" })),
            with("fields", json!({ "long": "x".repeat(70_000) })),
        ];
        asker.bad("tasks.status", &bad).await;
        asker
            .bad("tasks.ls", &[json!({ "cursor": "x" }), json!({ "limit": 0 }), json!({ "task": ["a b"] })])
            .await;
    })
    .await;
}
