//! Locks against the seeds' own commands, in both directions.

mod support;

use std::time::Duration;

use quorate_catalog::FamilyId;
use quorate_plane::locks::Request;
use quorate_store::{FromRedisValue, Value};
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;
use support::{plane, refused, request, take};

async fn text(bench: &Bench, line: &str) -> String {
    String::from_redis_value(bench.cli(line).await).unwrap_or_default()
}

async fn number(bench: &Bench, line: &str) -> i64 {
    i64::from_redis_value(bench.cli(line).await).unwrap()
}

/// A holder that another client wrote is named, and its lock is not taken.
async fn honours(bench: &Bench, on: &str, holder: &str) {
    let plane = plane(bench, &["ours"]).await;
    let refusal = refused(plane.locks().acquire(&request("ours", on)).await.unwrap());
    assert_eq!((refusal.code.as_str(), refusal.detail.as_deref()), ("held", Some(holder)), "{on}");
}

#[tokio::test]
async fn reverie_named_lock() {
    both_directions(
        FamilyId::ReverieLock,
        async |bench| {
            assert_eq!(bench.cli("SET locks:deploy 4711 NX EX 300").await, Value::Okay);
            honours(bench, "name:deploy", "4711").await;
        },
        async |bench| {
            take(&plane(bench, &["a"]).await, "a", "name:deploy").await;
            assert_eq!(text(bench, "GET locks:deploy").await, "a");
            assert!((1..=300).contains(&number(bench, "TTL locks:deploy").await));
            assert_eq!(
                bench.cli("SET locks:deploy 4711 NX EX 300").await,
                Value::Nil,
                "an old client is kept out"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn reverie_project_lock() {
    both_directions(
        FamilyId::ReverieProjectLock,
        async |bench| {
            assert_eq!(bench.cli("SET locks:project:quorate:docs 4711 NX EX 300").await, Value::Okay);
            honours(bench, "project:quorate:docs", "4711").await;
        },
        async |bench| {
            take(&plane(bench, &["a"]).await, "a", "project:quorate:docs").await;
            assert_eq!(text(bench, "GET locks:project:quorate:docs").await, "a");
            assert!((1..=300).contains(&number(bench, "TTL locks:project:quorate:docs").await));
        },
    )
    .await;
}

#[tokio::test]
async fn ade_task_lock() {
    both_directions(
        FamilyId::AdeTaskLock,
        async |bench| {
            bench
                .cli("HSET ade:lock:task:t1 holder_agent_id agent-123 acquired_at 2026-03-18T15:30:00Z expires_at 2026-03-18T15:30:30Z purpose 'Applying database migration'")
                .await;
            bench.cli("EXPIRE ade:lock:task:t1 30").await;
            honours(bench, "task:t1", "agent-123").await;
        },
        async |bench| {
            let plane = plane(bench, &["a"]).await;
            let wanted = Request { purpose: "Applying".into(), ttl: Some(Duration::from_secs(30)), ..request("a", "task:t1") };
            plane.locks().acquire(&wanted).await.unwrap().unwrap();
            for (field, expected) in [("holder_agent_id", "a"), ("purpose", "Applying"), ("heartbeat_count", "0"), ("queue_length", "0")] {
                assert_eq!(text(bench, &format!("HGET ade:lock:task:t1 {field}")).await, expected);
            }
            for field in ["acquired_at", "expires_at"] {
                assert!(text(bench, &format!("HGET ade:lock:task:t1 {field}")).await.ends_with('Z'));
            }
            assert!((1..=30).contains(&number(bench, "TTL ade:lock:task:t1").await));
            assert_eq!(number(bench, "SISMEMBER ade:lock:index:agent:a ade:lock:task:t1").await, 1);
            assert!(!text(bench, "ZSCORE ade:lock:registry ade:lock:task:t1").await.is_empty());
        },
    )
    .await;
}

#[tokio::test]
async fn ade_resource_lock() {
    both_directions(
        FamilyId::AdeResourceLock,
        async |bench| {
            bench.cli("HSET ade:lock:resource:database:prod-db-01 mode exclusive exclusive_holder agent-456 acquired_at 2026-03-18T15:30:00Z expires_at 2026-03-18T15:30:30Z").await;
            bench.cli("EXPIRE ade:lock:resource:database:prod-db-01 30").await;
            honours(bench, "resource:database:prod-db-01", "agent-456").await;
        },
        async |bench| {
            take(&plane(bench, &["a"]).await, "a", "resource:database:prod-db-01").await;
            let key = "ade:lock:resource:database:prod-db-01";
            assert_eq!(text(bench, &format!("HGET {key} mode")).await, "exclusive");
            assert_eq!(text(bench, &format!("HGET {key} exclusive_holder")).await, "a");
            let holders = text(bench, &format!("HGET {key} holders")).await;
            let holders: serde_json::Value = serde_json::from_str(&holders).expect("a JSON array");
            assert_eq!(holders[0]["agent_id"], "a");
            assert!(holders[0]["acquired_at"].as_str().is_some_and(|at| at.ends_with('Z')));
            assert_eq!(number(bench, &format!("SISMEMBER ade:lock:index:resource:database {key}")).await, 1);
        },
    )
    .await;
}

#[tokio::test]
async fn ade_lock_rate_limit() {
    both_directions(
        FamilyId::AdeLockRateLimit,
        async |bench| {
            bench.cli("SET ade:config:lock:acquire_limit 5").await;
            bench.cli("SET ade:ratelimit:lock:acquire:ours 5 EX 60").await;
            let plane = plane(bench, &["ours"]).await;
            let refusal = refused(plane.locks().acquire(&request("ours", "name:x")).await.unwrap());
            assert_eq!(refusal.code, "rate_limited");
        },
        async |bench| {
            let plane = plane(bench, &["a"]).await;
            take(&plane, "a", "name:x").await;
            take(&plane, "a", "name:y").await;
            assert_eq!(text(bench, "GET ade:ratelimit:lock:acquire:a").await, "2");
            assert!((1..=60).contains(&number(bench, "TTL ade:ratelimit:lock:acquire:a").await));
        },
    )
    .await;
}
