//! How services fare: what was seen is kept, and what it means is decided when somebody asks.

use std::time::Duration;

use quorate_plane::services::{Overall, Status, What};
use quorate_plane::{Plane, invariants};
use quorate_store::Clock;
use quorate_store::invariant::Scope;
use quorate_testkit::{Bench, check};
use serde_json::json;

use super::support::{Fake, code, event, id, ingest, plane, register, task};

/// An event that happened now.
async fn lively(plane: &Plane) {
    let mut now = event(0);
    now["timestamp"] = plane.store().time().await.unwrap().iso().into();
    now["event_id"] = quorate_plane::random_id().into();
    ingest(plane, "pay", now).await;
}

#[tokio::test]
async fn a_look_at_a_service_is_kept_and_says_why() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        let new = plane.services().health(&id("pay")).await.unwrap().unwrap();
        assert_eq!((new.overall_status, new.last_checked_at), (Overall::Degraded, None));
        lively(&plane).await;
        let seen = plane.services().check(&id("pay")).await.unwrap().unwrap();
        assert_eq!((seen.overall_status, seen.reasons.len()), (Overall::Healthy, 0), "{:?}", seen.reasons);
        let service = plane.services().show(&id("pay")).await.unwrap().unwrap();
        assert_eq!(service.status, Status::Healthy, "it answered");
        assert!(service.offers("events.feed") && service.last_seen_at.is_some());
        let now = plane.store().time().await.unwrap().iso();
        fake.offers(
            &["events.feed", "health.workers"],
            json!([{ "worker_name": "w", "running": false, "last_heartbeat_at": now }]),
        );
        let seen = plane.services().check(&id("pay")).await.unwrap().unwrap();
        assert_eq!(
            (seen.overall_status, seen.reasons),
            (Overall::Degraded, vec!["a worker does not run".to_owned()])
        );
        fake.answers_all(Some(500));
        let seen = plane.services().check(&id("pay")).await.unwrap().unwrap();
        assert_eq!(seen.overall_status, Overall::Unreachable);
        assert_eq!(seen.reasons[0], "it did not answer: HTTP 500");
        assert_eq!(
            plane.services().health(&id("pay")).await.unwrap().unwrap().overall_status,
            Overall::Unreachable
        );
        fake.answers_all(Some(404));
        let seen = plane.services().check(&id("pay")).await.unwrap().unwrap();
        assert_eq!(seen.http_status.error_detail, None, "one that is older than such questions is there");
    })
    .await;
}

async fn later(bench: &Bench, seconds: u64) -> Plane {
    let then = bench.scope.store.time().await.unwrap().plus(Duration::from_secs(seconds));
    let store = bench.scope.store.with_clock(Clock::Fixed(then));
    Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap()
}

/// A watcher that has died leaves nothing that looks healthy for ever.
#[tokio::test]
async fn a_verdict_ages_without_anybody_looking() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        lively(&plane).await;
        plane.services().check(&id("pay")).await.unwrap().unwrap();
        for (seconds, verdict) in [(150, Overall::Healthy), (200, Overall::Stale), (400, Overall::Stale)] {
            let judged = later(bench, seconds).await.services().health(&id("pay")).await.unwrap().unwrap();
            assert_eq!(judged.overall_status, verdict, "{seconds}: {:?}", judged.reasons);
        }
    })
    .await;
}

#[tokio::test]
async fn each_service_is_looked_at_in_its_turn_by_one_process() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        for name in ["a", "b", "c"] {
            register(&plane, name, &format!("{}/{name}", fake.url())).await;
        }
        let other = super::support::plane(bench);
        let (first, second) = (plane.services(), other.services());
        let (one, two) = tokio::join!(first.check_due(), second.check_due());
        assert_eq!(one.unwrap() + two.unwrap(), 3, "each by one of the two");
        assert_eq!(plane.services().check_due().await.unwrap(), 0);
        let health = plane.services().health(&id("b")).await.unwrap().unwrap();
        assert!(health.last_checked_at.is_some());
        plane.services().delete(&id("b")).await.unwrap().unwrap();
        assert_eq!(plane.services().check_due().await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn what_services_say_of_their_tasks_is_gathered_and_what_is_missing_is_named() {
    check(&invariants(), async |bench| {
        let (plane, fake, silent) = (plane(bench), Fake::start().await, Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        register(&plane, "mail", &silent.url()).await;
        plane.services().refresh(&id("pay")).await.unwrap().unwrap();
        fake.answers("/status/t1", json!({ "task_id": "t1", "event": { "status": "completed" } }));
        fake.answers("/failed-tasks", json!({ "items": [{ "task_id": "t9", "reason": "boom" }] }));
        let services = plane.services();
        let status = services.ask(&id("pay"), What::Status, Some(&task("t1")), &[]).await.unwrap().unwrap();
        assert_eq!((&status["service_id"], &status["event"]["status"]), (&json!("pay"), &json!("completed")));
        assert_eq!(
            code(&services.ask(&id("pay"), What::Status, Some(&task("t2")), &[]).await.unwrap()),
            "unknown_there"
        );
        assert_eq!(
            code(&services.ask(&id("pay"), What::Graph, Some(&task("t1")), &[]).await.unwrap()),
            "not_offered"
        );
        let detail = services.task(&id("pay"), &task("t1")).await.unwrap().unwrap();
        assert_eq!(detail.latest_status.unwrap()["event"]["status"], "completed");
        let missing: Vec<(&str, &str)> =
            detail.errors.iter().map(|own| (own.part.as_str(), own.code.as_str())).collect();
        assert_eq!(
            missing,
            [
                ("history", "unknown_there"),
                ("dlq_messages", "not_offered"),
                ("execution_graph", "not_offered")
            ]
        );
        silent.answers_all(Some(500));
        let failed = services.failed(None, None, &[]).await.unwrap();
        assert_eq!((failed.count, &failed.items[0]["service_id"]), (1, &json!("pay")));
        assert_eq!((failed.errors.len(), failed.errors[0].service_id.as_str()), (1, "mail"));
        assert_eq!(failed.scanned_services, ["mail", "pay"]);
        fake.answers("/history", json!("x".repeat(2 << 20)));
        let long = services.ask(&id("pay"), What::History, None, &[]).await.unwrap();
        assert_eq!(long.refusal().unwrap().detail.as_deref(), Some("its answer is too long"));
    })
    .await;
}
