//! Locks against the seeds' own commands, in both directions.

use std::time::Duration;

use crate::support::{agent, lock, plane, refused, request, take};
use quorate_catalog::FamilyId;
use quorate_plane::locks::{Acquire, Request};
use quorate_plane::{Outcome, Plane};
use quorate_store::{FromRedisValue, Notice, Topics, Value};
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;

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
            // One that counts and sets no end limits nobody for ever.
            bench.cli("PERSIST ade:ratelimit:lock:acquire:ours").await;
            let refusal = refused(plane.locks().acquire(&request("ours", "name:x")).await.unwrap());
            assert_eq!((refusal.code.as_str(), refusal.detail.as_deref()), ("rate_limited", Some("60000")));
            assert!((1..=60).contains(&number(bench, "TTL ade:ratelimit:lock:acquire:ours").await));
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

/// A request that waits while `holder` has the lock.
async fn queue_up(plane: &Plane, name: &str, on: &str, wait: Duration) {
    let wanted = Request { wait, detach: true, priority: 7, ..request(name, on) };
    let queued = plane.locks().acquire(&wanted).await.unwrap();
    assert!(matches!(queued, Outcome::Done(Acquire::Queued { .. })), "{queued:?}");
}

#[tokio::test]
async fn ade_lock_queue() {
    both_directions(
        FamilyId::AdeLockQueue,
        async |bench| {
            let waiter = r#"{"agent_id":"agent-789","mode":"exclusive","priority":100,"requested_at":"2026-03-18T15:30:00Z","max_wait_seconds":60}"#;
            bench.cli(&format!("ZADD ade:lock:task:t1:queue 1710775800000 '{waiter}'")).await;
            let plane = plane(bench, &["a", "b"]).await;
            let held = take(&plane, "a", "task:t1").await;
            queue_up(&plane, "b", "task:t1", Duration::from_secs(60)).await;
            assert_eq!(number(bench, "ZCARD ade:lock:task:t1:queue").await, 2, "theirs stays beside ours");
            // An old client that takes everybody out of the queue takes nothing from ours.
            bench.cli("ZPOPMIN ade:lock:task:t1:queue 2").await;
            plane.locks().release(&lock("task:t1"), &agent("a"), held.fence).await.unwrap().unwrap();
            assert_eq!(plane.locks().show(&lock("task:t1"), 1).await.unwrap().holders[0].agent, "b");
        },
        async |bench| {
            let plane = plane(bench, &["a", "b", "c"]).await;
            take(&plane, "a", "task:t1").await;
            let before = bench.scope.store.time().await.unwrap().millis() as f64;
            for name in ["b", "c"] {
                queue_up(&plane, name, "task:t1", Duration::from_secs(60)).await;
            }
            let value = bench.cli("ZRANGE ade:lock:task:t1:queue 0 -1 WITHSCORES").await;
            let waiting: Vec<(String, f64)> = redis::from_redis_value(value).unwrap();
            for ((member, score), name) in waiting.iter().zip(["b", "c"]) {
                let member: serde_json::Value = serde_json::from_str(member).unwrap();
                assert_eq!((&member["agent_id"], &member["mode"]), (&name.into(), &"exclusive".into()));
                assert_eq!((&member["priority"], &member["max_wait_seconds"]), (&7.into(), &60.into()));
                assert!(member["requested_at"].as_str().is_some_and(|at| at.ends_with('Z')));
                assert!((*score - before).abs() < 60_000.0, "milliseconds: {score}");
            }
            assert_eq!(waiting.len(), 2);
            assert_eq!(text(bench, "HGET ade:lock:task:t1 holder_agent_id").await, "a");
        },
    )
    .await;
}

#[tokio::test]
async fn ade_lock_channel() {
    both_directions(
        FamilyId::AdeLockChannel,
        async |bench| {
            bench.cli("HSET ade:lock:task:t1 holder_agent_id agent-123 purpose x").await;
            let plane = plane(bench, &["a"]).await;
            let wanted = Request { wait: Duration::from_secs(10), ..request("a", "task:t1") };
            let waiting = tokio::spawn({
                let plane = plane.clone();
                async move { (plane.locks().acquire(&wanted).await.unwrap(), tokio::time::Instant::now()) }
            });
            tokio::time::sleep(Duration::from_millis(200)).await;
            bench.cli("DEL ade:lock:task:t1").await;
            bench.cli("PUBLISH ade:lock:task:t1:channel released:agent-123").await;
            let freed = tokio::time::Instant::now();
            let (got, at) = waiting.await.unwrap();
            assert!(matches!(got, Outcome::Done(Acquire::Granted(_))), "{got:?}");
            assert!(at - freed <= Duration::from_secs(1), "{:?}", at - freed);
        },
        async |bench| {
            let mut heard =
                bench.scope.store.subscribe(Topics::channels(["ade:lock:task:t1:channel"])).await.unwrap();
            let plane = plane(bench, &["a", "b"]).await;
            let held = take(&plane, "a", "task:t1").await;
            queue_up(&plane, "b", "task:t1", Duration::from_secs(60)).await;
            plane.locks().release(&lock("task:t1"), &agent("a"), held.fence).await.unwrap().unwrap();
            let mut events = Vec::new();
            while events.len() < 4 {
                let next = tokio::time::timeout(Duration::from_secs(5), heard.next()).await;
                if let Notice::Message { payload, .. } = next.expect("four events") {
                    events.push(String::from_utf8(payload.to_vec()).unwrap());
                }
            }
            events.sort();
            assert_eq!(events, ["acquired:a", "promoted:b", "queued:b", "released:a"]);
        },
    )
    .await;
}

#[tokio::test]
async fn ade_locks_by_agent() {
    both_directions(
        FamilyId::AdeLocksByAgent,
        async |bench| {
            bench.cli("SADD ade:lock:index:agent:a ade:lock:task:theirs").await;
            let plane = plane(bench, &["a"]).await;
            let held = take(&plane, "a", "task:ours").await;
            plane.locks().release(&lock("task:ours"), &agent("a"), held.fence).await.unwrap().unwrap();
            assert_eq!(number(bench, "SISMEMBER ade:lock:index:agent:a ade:lock:task:theirs").await, 1);
            assert_eq!(number(bench, "SCARD ade:lock:index:agent:a").await, 1, "ours came and went");
        },
        async |bench| {
            let plane = plane(bench, &["a"]).await;
            take(&plane, "a", "task:t1").await;
            take(&plane, "a", "resource:database:prod-db-01").await;
            let mut members: Vec<String> =
                redis::from_redis_value(bench.cli("SMEMBERS ade:lock:index:agent:a").await).unwrap();
            members.sort();
            assert_eq!(members, ["ade:lock:resource:database:prod-db-01", "ade:lock:task:t1"]);
        },
    )
    .await;
}

#[tokio::test]
async fn ade_locks_by_resource_type() {
    both_directions(
        FamilyId::AdeLocksByResourceType,
        async |bench| {
            bench.cli("SADD ade:lock:index:resource:service ade:lock:resource:service:api-gateway").await;
            let plane = plane(bench, &["a"]).await;
            let held = take(&plane, "a", "resource:service:ours").await;
            assert_eq!(number(bench, "SCARD ade:lock:index:resource:service").await, 2);
            plane
                .locks()
                .release(&lock("resource:service:ours"), &agent("a"), held.fence)
                .await
                .unwrap()
                .unwrap();
            let theirs = "SISMEMBER ade:lock:index:resource:service ade:lock:resource:service:api-gateway";
            assert_eq!(number(bench, theirs).await, 1);
        },
        async |bench| {
            let plane = plane(bench, &["a"]).await;
            take(&plane, "a", "resource:service:api-gateway").await;
            let members: Vec<String> =
                redis::from_redis_value(bench.cli("SMEMBERS ade:lock:index:resource:service").await).unwrap();
            assert_eq!(members, ["ade:lock:resource:service:api-gateway"]);
        },
    )
    .await;
}

#[tokio::test]
async fn ade_lock_registry() {
    both_directions(
        FamilyId::AdeLockRegistry,
        async |bench| {
            bench
                .cli("ZADD ade:lock:registry 1710775830 ade:lock:task:lapsed 9999999999 ade:lock:task:later")
                .await;
            let plane = plane(bench, &["a"]).await;
            plane.locks().upkeep().await.unwrap();
            assert_eq!(text(bench, "ZSCORE ade:lock:registry ade:lock:task:lapsed").await, "", "cleaned up");
            assert!(!text(bench, "ZSCORE ade:lock:registry ade:lock:task:later").await.is_empty());
        },
        async |bench| {
            let plane = plane(bench, &["a"]).await;
            let until = take(&plane, "a", "task:t1").await.expires_at.get() as f64 / 1e6;
            let score: f64 = text(bench, "ZSCORE ade:lock:registry ade:lock:task:t1").await.parse().unwrap();
            assert!((score - until).abs() < 0.01, "{score} {until}");
            assert_eq!(number(bench, "ZCARD ade:lock:registry").await, 1);
        },
    )
    .await;
}

#[tokio::test]
async fn ade_wait_for() {
    both_directions(
        FamilyId::AdeWaitFor,
        async |bench| {
            // An edge that nobody took back would be a ring with ours; no wait is failed for it.
            bench.cli("SADD ade:lock:waitfor:a ade:lock:task:2").await;
            let plane = plane(bench, &["a", "b"]).await;
            take(&plane, "a", "task:1").await;
            take(&plane, "b", "task:2").await;
            queue_up(&plane, "b", "task:1", Duration::from_secs(60)).await;
            assert_eq!(plane.locks().deadlocks(false).await.unwrap(), Vec::<Vec<String>>::new());
            assert_eq!(
                number(bench, "SISMEMBER ade:lock:waitfor:a ade:lock:task:2").await,
                1,
                "theirs stays"
            );
        },
        async |bench| {
            let plane = plane(bench, &["a", "b"]).await;
            let mut held = Vec::new();
            for on in ["task:t1", "resource:database:prod-db-01"] {
                held.push((on, take(&plane, "a", on).await.fence));
                queue_up(&plane, "b", on, Duration::from_secs(60)).await;
            }
            let mut edges: Vec<String> =
                redis::from_redis_value(bench.cli("SMEMBERS ade:lock:waitfor:b").await).unwrap();
            edges.sort();
            assert_eq!(edges, ["ade:lock:resource:database:prod-db-01", "ade:lock:task:t1"]);
            assert!((60..=420).contains(&number(bench, "TTL ade:lock:waitfor:b").await));
            for (on, fence) in held {
                plane.locks().release(&lock(on), &agent("a"), fence).await.unwrap().unwrap();
            }
            assert_eq!(number(bench, "EXISTS ade:lock:waitfor:b").await, 0, "nothing is waited for any more");
        },
    )
    .await;
}

#[tokio::test]
async fn ade_deadlock_check() {
    both_directions(
        FamilyId::AdeDeadlockCheck,
        async |bench| {
            // Another process has just looked: nobody looks again so soon.
            let plane = plane(bench, &["a", "b"]).await;
            for name in ["a", "b"] {
                bench.cli(&format!("SET ade:lock:deadlock:check:{name} 2026-03-18T15:30:00Z EX 30")).await;
            }
            take(&plane, "a", "task:1").await;
            queue_up(&plane, "b", "task:1", Duration::from_secs(60)).await;
            plane.locks().upkeep().await.unwrap();
            assert_eq!(text(bench, "GET ade:lock:deadlock:check:b").await, "2026-03-18T15:30:00Z");
        },
        async |bench| {
            let plane = plane(bench, &["a", "b"]).await;
            take(&plane, "a", "task:1").await;
            queue_up(&plane, "b", "task:1", Duration::from_secs(60)).await;
            plane.locks().upkeep().await.unwrap();
            let when = text(bench, "GET ade:lock:deadlock:check:b").await;
            assert!(when.starts_with("20") && when.ends_with('Z'), "{when}");
            assert!((1..=30).contains(&number(bench, "TTL ade:lock:deadlock:check:b").await));
            assert_eq!(number(bench, "EXISTS ade:lock:deadlock:check:a").await, 0, "it waits for nothing");
        },
    )
    .await;
}
