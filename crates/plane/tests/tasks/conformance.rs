//! The stores of tasks against the seed's own commands, in both directions.

use quorate_catalog::FamilyId;
use quorate_plane::tasks::{Part, Taken};
use quorate_store::{Notice, Topics};
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;
use serde_json::{Value, json};

use super::feed::seen;
use super::support::{accept, plane, statuses, take, task, text, texts};

#[tokio::test]
async fn relayna_status_history() {
    both_directions(
        FamilyId::RelaynaStatusHistory,
        async |bench| {
            let plane = plane(bench);
            bench
                .cli(r#"LPUSH relayna:history:task-123 '{"task_id": "task-123", "status": "queued"}'"#)
                .await;
            bench
                .cli(
                    r#"LPUSH relayna:history:task-123 '{"task_id": "task-123", "status": "Failed"}' garbage"#,
                )
                .await;
            let history = plane.tasks().history(&task("task-123"), 50).await.unwrap();
            assert_eq!((history.events.len(), history.unreadable), (2, 1));
            let shown = plane.tasks().show(&task("task-123")).await.unwrap().unwrap();
            assert_eq!((shown.status.as_deref(), shown.ended, shown.events), (Some("Failed"), true, None));
            accept(&plane, "task-123", json!({ "status": "seen" })).await;
            assert_eq!(statuses(&plane, "task-123").await[0], "seen");
        },
        async |bench| {
            let plane = plane(bench);
            accept(&plane, "task-123", json!({ "status": "queued", "event_id": "e1", "meta": { "a": [1] } }))
                .await;
            accept(&plane, "task-123", json!({ "status": "running" })).await;
            let items = texts(bench, "LRANGE relayna:history:task-123 0 -1").await;
            let items: Vec<Value> = items.iter().map(|item| serde_json::from_str(item).unwrap()).collect();
            assert_eq!((&items[0]["status"], &items[1]["meta"]), (&json!("running"), &json!({ "a": [1] })));
            let ttl: i64 = text(bench, "TTL relayna:history:task-123").await.parse().unwrap();
            assert!((86_390..=86_400).contains(&ttl));
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_status_event() {
    both_directions(
        FamilyId::RelaynaStatusEvent,
        async |bench| {
            bench.cli("SET relayna:event:task-123:evt-0001 1 NX EX 86400").await;
            let event = json!({ "status": "queued", "event_id": "evt-0001" });
            assert_eq!(take(&plane(bench), "task-123", event).await, Taken::Duplicate(None));
        },
        async |bench| {
            accept(&plane(bench), "task-123", json!({ "status": "queued", "event_id": "evt-0001" })).await;
            assert_eq!(
                text(bench, "SET relayna:event:task-123:evt-0001 1 NX EX 86400").await,
                "",
                "it is taken"
            );
            let ttl: i64 = text(bench, "TTL relayna:event:task-123:evt-0001").await.parse().unwrap();
            assert!((86_390..=86_400).contains(&ttl));
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_children() {
    both_directions(
        FamilyId::RelaynaChildren,
        async |bench| {
            bench.cli("SADD relayna:children:task-100 task-2 task-1").await;
            let found = plane(bench).tasks().children(&task("task-100"), 10).await.unwrap();
            assert_eq!(found.children, ["task-1", "task-2"]);
        },
        async |bench| {
            let event = json!({ "status": "queued", "meta": { "parent_task_id": "task-100" } });
            accept(&plane(bench), "task-1", event).await;
            assert_eq!(texts(bench, "SMEMBERS relayna:children:task-100").await, ["task-1"]);
        },
    )
    .await;
}

/// What a subscriber hears first after `say`.
async fn heard(bench: &Bench, say: impl Future<Output = ()>) -> Value {
    let mut channel =
        bench.scope.store.subscribe(Topics::channels(["relayna:channel:task-123"])).await.unwrap();
    say.await;
    match channel.next().await {
        Notice::Message { payload, .. } => serde_json::from_slice(&payload).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// A subscriber of the seed hears ours; that our live stream hears the seed's is shown where that is.
#[tokio::test]
async fn relayna_status_channel() {
    both_directions(
        FamilyId::RelaynaStatusChannel,
        async |bench| {
            let foreign = r#"PUBLISH relayna:channel:task-123 '{"task_id":"task-123","status":"running"}'"#;
            assert_eq!(heard(bench, async { drop(bench.cli(foreign).await) }).await["status"], "running");
        },
        async |bench| {
            let plane = plane(bench);
            let ours = async {
                accept(&plane, "task-123", json!({ "status": "queued" })).await;
            };
            assert_eq!(heard(bench, ours).await["seq"], 1);
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_observation_history() {
    both_directions(
        FamilyId::RelaynaObservationHistory,
        async |bench| {
            let item = r#"{"task_id": "task-123", "event_type": "TaskMessageReceived"}"#;
            bench.cli(&format!("LPUSH relayna-observations:history:task-123 '{item}'")).await;
            let found = plane(bench).tasks().observations(&task("task-123"), 10).await.unwrap();
            assert_eq!(found.events[0].text("event_type"), Some("TaskMessageReceived"));
        },
        async |bench| {
            let observation = seen("task-123", json!({ "event_type": "TaskMessageReceived" }));
            plane(bench).tasks().observe(&observation).await.unwrap().unwrap();
            let item = text(bench, "LINDEX relayna-observations:history:task-123 0").await;
            assert_eq!(serde_json::from_str::<Value>(&item).unwrap()["event_type"], "TaskMessageReceived");
        },
    )
    .await;
}

/// The hash of {"event_type": "X", "task_id": "task-123"}, as Python writes and hashes it.
const HASH: &str = "2761125cdcb25a53c4cd056fc213b609116a1fdb954361631d245fc033ea8824";

#[tokio::test]
async fn relayna_observation_event() {
    let x = || seen("task-123", json!({ "event_type": "X" }));
    both_directions(
        FamilyId::RelaynaObservationEvent,
        async |bench| {
            bench.cli(&format!("SET relayna-observations:event:task-123:{HASH} 1 NX EX 86400")).await;
            assert!(!plane(bench).tasks().observe(&x()).await.unwrap().unwrap(), "it was taken");
        },
        async |bench| {
            plane(bench).tasks().observe(&x()).await.unwrap().unwrap();
            assert_eq!(text(bench, &format!("GET relayna-observations:event:task-123:{HASH}")).await, "1");
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_feed() {
    both_directions(
        FamilyId::RelaynaFeed,
        async |bench| {
            let item = |cursor: &str| {
                format!("{{\"cursor\":\"{cursor}\",\"task_id\":\"t\",\"event_type\":\"status.queued\",\"source_kind\":\"status\"}}")
            };
            bench.cli(&format!("LPUSH relayna-service-events:feed '{}' '{}'", item("c1"), item("c2"))).await;
            let page = plane(bench).tasks().feed(Part::After("c2"), 10).await.unwrap().unwrap();
            assert_eq!((page.items[0].text("cursor"), page.gap), (Some("c1"), None));
        },
        async |bench| {
            accept(&plane(bench), "task-123", json!({ "status": "queued", "event_id": "evt-0001" })).await;
            let item = text(bench, "LINDEX relayna-service-events:feed 0").await;
            let item: Value = serde_json::from_str(&item).unwrap();
            assert_eq!((&item["cursor"], &item["source_kind"]), (&json!("evt-0001"), &json!("status")));
            assert_eq!((&item["event_type"], &item["payload"]["status"]), (&json!("status.queued"), &json!("queued")));
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_feed_event() {
    both_directions(
        FamilyId::RelaynaFeedEvent,
        async |bench| {
            bench.cli("SET relayna-service-events:event:evt-0001 1 NX EX 86400").await;
            bench.cli("SET relayna-service-events:event:task-123%3Aevt-0001 1 NX EX 86400").await;
            let plane = plane(bench);
            accept(&plane, "task-123", json!({ "status": "queued", "event_id": "evt-0001" })).await;
            assert_eq!(
                plane.tasks().feed(Part::Newest, 10).await.unwrap().unwrap().count,
                0,
                "it was offered"
            );
        },
        async |bench| {
            accept(&plane(bench), "task-123", json!({ "status": "queued", "event_id": "evt-0001" })).await;
            assert_eq!(text(bench, "SET relayna-service-events:event:evt-0001 1 NX EX 86400").await, "");
        },
    )
    .await;
}
