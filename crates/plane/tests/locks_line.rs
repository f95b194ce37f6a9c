//! The short ways of a contended lock keep what the long way keeps.

use std::time::Duration;

use crate::support::{agent, detached, grant, lock, plane, request, take};
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::check;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

const ON: &str = "name:hot";

/// Waits as a process does, and gives the name back with the moment it got the lock.
fn wait(plane: &Plane, name: &'static str, priority: i64) -> JoinHandle<(u64, Instant)> {
    let plane = plane.clone();
    tokio::spawn(async move {
        let wanted = Request { wait: Duration::from_secs(10), priority, ..request(name, ON) };
        (grant(plane.locks().acquire(&wanted).await.unwrap()).fence, Instant::now())
    })
}

async fn in_line(plane: &Plane, many: u64) {
    for _ in 0..200 {
        if plane.locks().show(&lock(ON), 0).await.unwrap().waiting == many {
            return;
        }
        sleep(Duration::from_millis(5)).await;
    }
    panic!("not {many} in line");
}

async fn release(plane: &Plane, name: &str, fence: u64) {
    plane.locks().release(&lock(ON), &agent(name), fence).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_line_is_served_by_priority_and_then_by_arrival() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c", "d"]).await;
        let first = take(&plane, "a", ON).await.fence;
        let mut waiting = Vec::new();
        for (place, (name, priority)) in [("b", 0), ("c", 0), ("d", 5)].into_iter().enumerate() {
            waiting.push((name, wait(&plane, name, priority)));
            in_line(&plane, place as u64 + 1).await;
        }
        release(&plane, "a", first).await;
        let mut last = first;
        for served in ["d", "b", "c"] {
            let place = waiting.iter().position(|(name, _)| *name == served).unwrap();
            let (fence, _) = waiting.remove(place).1.await.unwrap();
            assert!(fence > last && waiting.iter().all(|(_, task)| !task.is_finished()), "{served}");
            last = fence;
            release(&plane, served, fence).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_lock_is_not_handed_to_an_agent_whose_lease_has_ended() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let short = Registration { lease: Duration::from_secs(1), ..Registration::new(agent("brief")) };
        plane.agents().register(&short).await.unwrap().unwrap();
        let held = take(&plane, "a", ON).await;
        let left = Request { wait: Duration::from_secs(30), detach: true, ..request("brief", ON) };
        assert!(matches!(plane.locks().acquire(&left).await.unwrap(), Outcome::Done(Acquire::Queued { .. })));
        sleep(Duration::from_millis(1_100)).await;
        // It comes only now: its first look would pass over the other one before the lock is handed over.
        let living = wait(&plane, "b", 0);
        in_line(&plane, 2).await;
        let released = Instant::now();
        release(&plane, "a", held.fence).await;
        let holders = plane.locks().show(&lock(ON), 0).await.unwrap().holders;
        assert!(holders.iter().all(|holder| holder.agent == "b"), "{holders:?}");
        let (fence, at) = living.await.unwrap();
        assert!(at - released < Duration::from_millis(500), "{:?}", at - released);
        release(&plane, "b", fence).await;
    })
    .await;
}

/// Nor is it to one that was revoked, by the long way that tasks and resources take.
#[tokio::test]
async fn a_revoked_waiter_is_passed_over() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        for on in ["task:t", "resource:db:main"] {
            let held = take(&plane, "a", on).await;
            for who in ["b", "c"] {
                detached(&plane, &request(who, on)).await;
            }
            let record = plane.keys().quorate().agent(&agent("b"));
            bench.cli(&format!("HSET {} revoked 9999999999999999", record.as_str())).await;
            plane.locks().release(&lock(on), &agent("a"), held.fence).await.unwrap().unwrap();
            let shown = plane.locks().show(&lock(on), 9).await.unwrap();
            assert_eq!((shown.holders[0].agent.as_str(), shown.waiting), ("c", 0), "{on}");
            bench.cli(&format!("HDEL {} revoked", record.as_str())).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_foreign_client_that_took_the_key_is_not_overrun_by_the_line() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let ns = bench.scope.keys.namespace_text();
        let held = take(&plane, "a", ON).await;
        let waiting = wait(&plane, "b", 0);
        in_line(&plane, 1).await;
        let taken = Instant::now();
        bench.cli(&format!("SET {ns}locks:hot stranger PX 900")).await;
        release(&plane, "a", held.fence).await;
        let owner = bench.cli(&format!("GET {ns}locks:hot")).await;
        assert_eq!(owner, quorate_store::Value::BulkString(b"stranger".to_vec()));
        let (fence, at) = waiting.await.unwrap();
        let after = at - taken;
        assert!(after >= Duration::from_millis(890) && after < Duration::from_millis(2_000), "{after:?}");
        release(&plane, "b", fence).await;
    })
    .await;
}

#[tokio::test]
async fn many_readers_are_shown_as_they_are() {
    check(&invariants(), async |bench| {
        let names: Vec<String> = (0..50).map(|n| format!("r{n}")).collect();
        let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let on = "resource:db:read";
        let mut held = Vec::new();
        for name in &names {
            let wanted = Request { mode: Mode::Shared, ..request(name, on) };
            held.push((name, grant(plane.locks().acquire(&wanted).await.unwrap()).fence));
        }
        shows_what_is_held(bench, &plane, 50).await;
        // The first, the last, and some between.
        for place in [49, 0, 20, 21, 7] {
            plane.locks().release(&lock(on), &agent(held[place].0), held[place].1).await.unwrap().unwrap();
        }
        shows_what_is_held(bench, &plane, 45).await;
        // Fewer are written whole.
        for (name, fence) in &held[22..49] {
            plane.locks().release(&lock(on), &agent(name), *fence).await.unwrap().unwrap();
        }
        shows_what_is_held(bench, &plane, 18).await;
    })
    .await;
}

async fn shows_what_is_held(bench: &quorate_testkit::Bench, plane: &Plane, many: usize) {
    let ns = bench.scope.keys.namespace_text();
    let text = bench.cli(&format!("HGET {ns}ade:lock:resource:db:read holders")).await;
    let text: String = quorate_store::FromRedisValue::from_redis_value(text).unwrap();
    let shown: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let mut shown: Vec<&str> = shown.iter().map(|one| one["agent_id"].as_str().unwrap()).collect();
    let decided = plane.locks().show(&lock("resource:db:read"), 0).await.unwrap().holders;
    let mut decided: Vec<&str> = decided.iter().map(|one| one.agent.as_str()).collect();
    shown.sort_unstable();
    decided.sort_unstable();
    assert_eq!((shown.len(), shown), (many, decided));
}
