//! Locks under faults: processes that are stopped past their lease and killed, many contenders, rings of waiters.

mod support;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::chaos::{EffectLog, Proxy, Worker};
use quorate_testkit::{Bench, check};
use support::{agent, grant, lock, plane, request, take};
use tokio::time::Instant;

/// Like the test programs of other crates, the worker is built with the tests.
const WORKER: &str = env!("CARGO_BIN_EXE_lock-worker");

fn worker(bench: &Bench, name: &str, log: &EffectLog) -> Worker {
    let namespace = bench.scope.keys.namespace_text();
    let mut command = Command::new(WORKER);
    command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':')).arg(name).arg("name:counter");
    command
        .arg(format!("{namespace}metrics:counter"))
        .arg(log.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    Worker::spawn(&mut command).expect("the worker starts")
}

/// L2, L3: stopped past their lease and killed at any moment, no writer overwrites another's update.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_update_is_lost_to_a_holder_that_was_stopped_or_killed() {
    check(&invariants(), async |bench| {
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let mut workers: Vec<Worker> = (0..5).map(|n| worker(bench, &format!("w{n}"), &log)).collect();
        let plane = Plane::new(bench.scope.clone()).unwrap();
        let mut stopped = 0;
        for round in 0..45 {
            tokio::time::sleep(Duration::from_millis(30)).await;
            // Whoever holds the lock is hit: a bystander would prove nothing.
            let shown = plane.locks().show(&lock("name:counter"), 1).await.unwrap();
            let Some(at) = shown.holders.first().map(|hold| hold.agent[1..].parse::<usize>().unwrap()) else {
                continue;
            };
            if round % 5 == 4 {
                workers[at].kill9().unwrap();
                workers[at] = worker(bench, &format!("w{at}"), &log);
            } else if stopped < 6 {
                stopped += 1;
                workers[at].stop().unwrap();
                // Past its lease, and long enough for another to take the lock and write.
                tokio::time::sleep(Duration::from_millis(1_000)).await;
                workers[at].cont().unwrap();
            }
        }
        assert_eq!(stopped, 6);
        drop(workers);
        let lines = log.read().unwrap().lines;
        let mut by_value: BTreeMap<u64, u64> = BTreeMap::new();
        for (value, who) in &lines {
            let fence: u64 = who.split(' ').next().unwrap().parse().unwrap();
            assert_eq!(by_value.insert(value.parse().unwrap(), fence), None, "two holders wrote {value}");
        }
        assert!(by_value.len() > 20, "only {} updates", by_value.len());
        let fences: Vec<u64> = by_value.values().copied().collect();
        assert!(fences.is_sorted_by(|a, b| a < b), "an older fence wrote later");
        let counter: u64 =
            match bench.cli(&format!("GET {}metrics:counter", bench.scope.keys.namespace_text())).await {
                quorate_store::Value::BulkString(text) => String::from_utf8(text).unwrap().parse().unwrap(),
                other => panic!("{other:?}"),
            };
        // A kill between the write and its line leaves a value without one; a lost update would leave it below.
        assert!(counter >= *by_value.keys().last().unwrap(), "{counter}");
        settle(bench, "name:counter").await;
    })
    .await;
}

/// Waits until nobody holds or waits any more, as leases run out.
async fn settle(bench: &Bench, on: &str) {
    let plane = Plane::new(bench.scope.clone()).unwrap();
    let deadline = Instant::now() + Duration::from_secs(8);
    while Instant::now() < deadline {
        for n in 0..5 {
            let _ = plane.locks().release_agent(&agent(&format!("w{n}"))).await.unwrap();
        }
        let shown = plane.locks().show(&lock(on), 10).await.unwrap();
        if shown.holders.is_empty() && shown.waiting == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{on} is still held or waited for");
}

/// L1: in the order of their fences, a grant is never acknowledged before the one before it was given back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_contenders_never_hold_together() {
    check(&invariants(), async |bench| {
        let names: Vec<String> = (0..16).map(|n| format!("c{n}")).collect();
        let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let mut clients = Vec::new();
        for name in names {
            let plane = plane.clone();
            clients.push(tokio::spawn(async move { contend(&plane, &name).await }));
        }
        let mut history: BTreeMap<String, Vec<(u64, Instant, Instant)>> = BTreeMap::new();
        for client in clients {
            for (on, fence, granted, released) in client.await.unwrap() {
                history.entry(on).or_default().push((fence, granted, released));
            }
        }
        for (on, mut holds) in history {
            holds.sort_by_key(|hold| hold.0);
            for pair in holds.windows(2) {
                assert!(pair[0].0 < pair[1].0, "{on}: a fence was given twice");
                assert!(
                    pair[1].1 >= pair[0].2,
                    "{on}: {} was held while {} was granted",
                    pair[0].0,
                    pair[1].0
                );
            }
            assert!(holds.len() > 50, "{on}: {}", holds.len());
        }
    })
    .await;
}

async fn contend(plane: &Plane, name: &str) -> Vec<(String, u64, Instant, Instant)> {
    let mut held = Vec::new();
    for round in 0..60 {
        let on = ["task:hot", "name:hot", "resource:db:hot"][round % 3];
        let wanted = Request {
            wait: Duration::from_secs(20),
            ttl: Some(Duration::from_secs(20)),
            ..request(name, on)
        };
        let got = grant(plane.locks().acquire(&wanted).await.unwrap());
        let granted = Instant::now();
        tokio::task::yield_now().await;
        let released = Instant::now();
        plane.locks().release(&wanted.on, &wanted.agent, got.fence).await.unwrap().unwrap();
        held.push((on.to_owned(), got.fence, granted, released));
    }
    held
}

/// L8: rings of 2 to 8 agents, over all kinds of lock and shared ones too, are broken within 2 s by failing one wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_planted_ring_is_broken_and_nobody_else_is_failed() {
    check(&invariants(), async |bench| {
        let names: Vec<String> = (0..8).map(|n| format!("d{n}")).collect();
        let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        for ring in 0..28 {
            plant(&plane, &names[..2 + ring % 7], ring).await;
        }
    })
    .await;
}

async fn plant(plane: &Plane, names: &[String], ring: usize) {
    let place = |n: usize| match (ring + n) % 4 {
        0 => format!("task:r{ring}n{n}"),
        1 => format!("name:r{ring}n{n}"),
        2 => format!("file:r{ring}/n{n}"),
        _ => format!("resource:db:r{ring}n{n}"),
    };
    let mut held = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let mode = if place(n).starts_with("resource") && ring.is_multiple_of(2) {
            Mode::Shared
        } else {
            Mode::Exclusive
        };
        let wanted = Request { mode, ..request(name, &place(n)) };
        held.push((place(n), grant(plane.locks().acquire(&wanted).await.unwrap()).fence));
    }
    let started = Instant::now();
    let waits: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(n, name)| {
            let (plane, wanted) = (plane.clone(), request(name, &place((n + 1) % names.len())));
            let wanted = Request { wait: Duration::from_secs(10), ..wanted };
            tokio::spawn(async move { (n, plane.locks().acquire(&wanted).await.unwrap()) })
        })
        .collect();
    let mut victims = 0;
    let mut pending: Vec<_> = waits;
    // Each agent gives back what it holds once its own wait is over, as a program would.
    while let Some(wait) = next_done(&mut pending).await {
        let (n, outcome) = wait;
        match outcome {
            Outcome::Done(Acquire::Deadlock { cycle }) => {
                victims += 1;
                assert!(started.elapsed() < Duration::from_secs(2), "ring {ring}: {:?}", started.elapsed());
                assert_eq!(cycle.len(), names.len(), "ring {ring}: {cycle:?}");
            }
            other => {
                let on = place((n + 1) % names.len());
                plane
                    .locks()
                    .release(&lock(&on), &agent(&names[n]), grant(other).fence)
                    .await
                    .unwrap()
                    .unwrap();
            }
        }
        plane.locks().release(&lock(&held[n].0), &agent(&names[n]), held[n].1).await.unwrap().unwrap();
    }
    assert_eq!(victims, 1, "ring {ring} of {}", names.len());
}

async fn next_done<T>(pending: &mut Vec<tokio::task::JoinHandle<T>>) -> Option<T> {
    while !pending.is_empty() {
        if let Some(at) = pending.iter().position(tokio::task::JoinHandle::is_finished) {
            return Some(pending.remove(at).await.unwrap());
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    None
}

/// L8: waits without a ring are never failed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waits_without_a_ring_have_no_victims() {
    check(&invariants(), async |bench| {
        let names: Vec<String> = (0..8).map(|n| format!("e{n}")).collect();
        let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        for round in 0..40 {
            let base = take(&plane, &names[0], &format!("task:b{round}")).await;
            let waits: Vec<_> = names[1..]
                .iter()
                .map(|name| {
                    let (plane, wanted) = (plane.clone(), request(name, &format!("task:b{round}")));
                    let wanted = Request { wait: Duration::from_secs(10), ..wanted };
                    let name = name.clone();
                    tokio::spawn(async move {
                        let got = grant(plane.locks().acquire(&wanted).await.unwrap());
                        plane.locks().release(&wanted.on, &agent(&name), got.fence).await.unwrap().unwrap();
                    })
                })
                .collect();
            plane
                .locks()
                .release(&lock(&format!("task:b{round}")), &agent(&names[0]), base.fence)
                .await
                .unwrap()
                .unwrap();
            for wait in waits {
                wait.await.expect("no wait was failed");
            }
        }
    })
    .await;
}

/// L5, L6: a free lock reaches a living waiter within a second though every message is lost, past waiters that died.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_waiter_is_passed_over_and_no_wake_up_is_needed() {
    check(&invariants(), async |bench| {
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let direct = plane(bench, &["holder", "dead1", "dead2", "alive"]).await;
        let target = quorate_store::Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let store = quorate_store::Store::connect(target, quorate_store::Options::default()).await.unwrap();
        let deaf =
            Plane::new(quorate_store::invariant::Scope { store, keys: bench.scope.keys.clone() }).unwrap();
        let held = take(&direct, "holder", "task:t").await;
        for name in ["dead1", "dead2"] {
            // It asks once and is never heard of again; nobody gives up its place for it.
            let wanted = Request { wait: Duration::from_secs(60), detach: true, ..request(name, "task:t") };
            assert!(matches!(
                direct.locks().acquire(&wanted).await.unwrap(),
                Outcome::Done(Acquire::Queued { .. })
            ));
            direct.agents().revoke(&agent(name), None, None).await.unwrap().unwrap();
        }
        proxy.set(quorate_testkit::chaos::Fault::DropPubsub);
        let wanted = Request { wait: Duration::from_secs(20), ..request("alive", "task:t") };
        let waiting =
            tokio::spawn(async move { (deaf.locks().acquire(&wanted).await.unwrap(), Instant::now()) });
        tokio::time::sleep(Duration::from_millis(300)).await;
        let released = Instant::now();
        direct.locks().release(&lock("task:t"), &agent("holder"), held.fence).await.unwrap().unwrap();
        let (got, at) = waiting.await.unwrap();
        assert!(at - released <= Duration::from_secs(1), "{:?}", at - released);
        direct.locks().release(&lock("task:t"), &agent("alive"), grant(got).fence).await.unwrap().unwrap();
        let events = format!(
            "{:?}",
            bench.cli(&format!("XRANGE {}ade:events:lock - +", bench.scope.keys.namespace_text())).await
        );
        assert!(!events.contains("expired"), "a dead waiter was granted the lock for a moment: {events}");
        for name in ["dead1", "dead2"] {
            direct.locks().release_agent(&agent(name)).await.unwrap();
        }
    })
    .await;
}
