//! One task that both the seed's own clients and ours report of: which event counts, and that every reader says the same.

use quorate_plane::invariants;
use quorate_plane::tasks::Place;
use quorate_testkit::{Bench, check_verbatim};
use serde_json::{Value, json};

use super::support::{accept, plane, statuses, task};

/// Puts an event on top, as the seed's own clients do.
async fn push(bench: &Bench, name: &str, event: Value) {
    let key = bench.scope.keys.relayna().status_history(&task(name));
    let mut push = quorate_store::cmd("LPUSH");
    let _: u64 = bench.scope.store.query(push.arg(key.as_str()).arg(event.to_string())).await.unwrap();
    let mut keep = quorate_store::cmd("EXPIRE");
    let _: u64 = bench.scope.store.query(keep.arg(key.as_str()).arg(86_400)).await.unwrap();
}

#[tokio::test]
async fn the_end_is_the_end_whoever_reported_it() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench);
        let shown = async |name: &str| {
            let found = plane.tasks().show(&task(name)).await.unwrap().unwrap();
            let latest =
                found.latest.as_ref().and_then(|event| event.status()).unwrap_or_default().to_owned();
            (found.status.unwrap_or_default(), found.ended, latest)
        };
        let said = |status: &str, ended: bool| (status.to_owned(), ended, status.to_owned());
        // Theirs first, and it was the end.
        push(bench, "t1", json!({ "status": " Failed", "timestamp": "2026-04-06T10:00:00+02:00" })).await;
        let late = json!({ "status": "running", "event_id": "e1" });
        assert_eq!(accept(&plane, "t1", late).await.place, Place::AfterEnd);
        assert_eq!(shown("t1").await, said("Failed", true));
        assert_eq!(
            accept(&plane, "t1", json!({ "status": "running", "event_id": "e2" })).await.place,
            Place::AfterEnd
        );
        assert_eq!(statuses(&plane, "t1").await, ["Failed", "running", "running"]);
        let again = json!({ "status": "running", "meta": { "retry_attempt": 1 } });
        assert_eq!(accept(&plane, "t1", again).await.place, Place::Latest, "another attempt begins anew");
        assert_eq!(shown("t1").await, said("running", false));
        // Ours first, then theirs on top: it counts if it is newer, or the end.
        accept(&plane, "t2", json!({ "status": "running", "timestamp": "2026-04-06T08:00:05Z" })).await;
        push(bench, "t2", json!({ "status": "queued", "timestamp": "2026-04-06T08:00:01Z" })).await;
        assert_eq!(shown("t2").await, said("running", false));
        push(bench, "t2", json!({ "status": "completed" })).await;
        assert_eq!(shown("t2").await, said("completed", true));
        assert_eq!(accept(&plane, "t2", json!({ "status": "late" })).await.place, Place::AfterEnd);
        assert_eq!(shown("t2").await, said("completed", true));
        push(bench, "t2", json!({ "status": "running", "timestamp": "2026-04-06T09:00:00Z" })).await;
        assert_eq!(shown("t2").await.0, "completed", "also if they go on after the end");
    })
    .await;
}

#[tokio::test]
async fn what_others_wrote_and_nobody_can_read_decides_nothing() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench);
        let odd = [
            json!([]),
            json!("x"),
            json!({ "status": 5 }),
            json!({ "status": "done", "meta": 7, "timestamp": 9 }),
        ];
        for (number, event) in odd.into_iter().enumerate() {
            let name = format!("t{number}");
            push(bench, &name, event).await;
            assert_eq!(
                accept(&plane, &name, json!({ "status": "running" })).await.place,
                Place::Latest,
                "{name}"
            );
        }
        let deep = "[".repeat(900) + &"]".repeat(900);
        push(
            bench,
            "deep",
            json!({ "status": "failed", "meta": serde_json::from_str::<Value>(&deep).unwrap_or_default() }),
        )
        .await;
        let meta = json!({ "status": "failed", "meta": { "retry_attempt": -3, "attempt": "2" } });
        push(bench, "odd", meta).await;
        let next = json!({ "status": "running", "meta": { "attempt": 3 } });
        assert_eq!(accept(&plane, "odd", next).await.place, Place::Latest);
    })
    .await;
}
