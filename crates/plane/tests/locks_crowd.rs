//! Many readers of one resource: each comes, stays and goes by a short way, and what is known of all of them stays true.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::support::{agent, grant, lock, plane, refused, request};
use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::{FromRedisValue, Value};
use quorate_testkit::soak::{Dice, size};
use quorate_testkit::{Bench, check};

const ON: &str = "resource:db:read";

fn reading(name: &str, ttl: Duration) -> Request {
    Request { mode: Mode::Shared, ttl: Some(ttl), ..request(name, ON) }
}

async fn crowd(bench: &Bench, count: usize) -> (Plane, Vec<String>) {
    let names: Vec<String> = (0..count).map(|n| format!("r{n}")).collect();
    let mut all: Vec<&str> = names.iter().map(String::as_str).collect();
    all.push("writer");
    (plane(bench, &all).await, names)
}

/// What the lock, and what ade's readers, know: agents with their fences, and agents.
async fn known(bench: &Bench, plane: &Plane) -> (BTreeMap<String, u64>, Vec<String>) {
    let shown = plane.locks().show(&lock(ON), 1).await.unwrap();
    let held = shown.holders.into_iter().map(|hold| (hold.agent, hold.fence)).collect();
    let key = format!("{}ade:lock:resource:db:read", bench.scope.keys.namespace_text());
    let text = bench.cli(&format!("HGET {key} holders")).await;
    let text = if text == Value::Nil { "[]".to_owned() } else { String::from_redis_value(text).unwrap() };
    let listed: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let mut names: Vec<String> =
        listed.iter().map(|one| one["agent_id"].as_str().unwrap().to_owned()).collect();
    names.sort();
    (held, names)
}

#[tokio::test]
async fn readers_come_stay_and_go_as_a_model_says() {
    check(&invariants(), async |bench| {
        let (plane, names) = crowd(bench, 80).await;
        let (mut dice, mut model) = (Dice::of("crowd"), BTreeMap::<String, u64>::new());
        let long = Duration::from_secs(600);
        for step in 0..size(600, 6_000) {
            let name = &names[dice.below(names.len())];
            match (model.get(name).copied(), dice.below(8)) {
                // Mostly a crowd, and sometimes a few.
                (None, _) => {
                    let fence = grant(plane.locks().acquire(&reading(name, long)).await.unwrap()).fence;
                    assert!(model.values().all(|other| *other < fence), "fences grow");
                    model.insert(name.clone(), fence);
                }
                (Some(fence), 0..2) => {
                    let again = plane.locks().acquire(&reading(name, long)).await.unwrap();
                    assert_eq!(grant(again).fence, fence, "it is the same hold");
                }
                (Some(fence), 2..5) => {
                    let on = lock(ON);
                    plane.locks().renew(&on, &agent(name), None, fence, Some(long)).await.unwrap().unwrap();
                    let other = plane.locks().renew(&on, &agent(name), None, fence + 1, None).await.unwrap();
                    assert_eq!(refused(other).code, "not_owner");
                }
                (Some(fence), chance) if chance < 6 || step % 200 > 150 => {
                    plane.locks().release(&lock(ON), &agent(name), fence).await.unwrap().unwrap();
                    model.remove(name);
                }
                _ => {
                    let writing = plane.locks().acquire(&request("writer", ON)).await.unwrap();
                    assert_eq!(refused(writing).code, "held");
                }
            }
            if step % 20 == 0 {
                let expected = (model.clone(), model.keys().cloned().collect());
                assert_eq!(known(bench, &plane).await, expected, "step {step}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_crowd_that_lapses_at_once_leaves_the_lock_to_who_waits() {
    check(&invariants(), async |bench| {
        let (plane, names) = crowd(bench, 400).await;
        let soon = Duration::from_secs(3);
        for name in &names {
            grant(plane.locks().acquire(&reading(name, soon)).await.unwrap());
        }
        let waiting = Request { wait: Duration::from_secs(20), ..request("writer", ON) };
        let got = grant(plane.locks().acquire(&waiting).await.unwrap());
        let (held, shown) = known(bench, &plane).await;
        assert_eq!(held, BTreeMap::from([("writer".to_owned(), got.fence)]));
        assert_eq!(shown, ["writer"]);
    })
    .await;
}

#[tokio::test]
async fn a_writer_that_waits_for_a_crowd_is_next_when_the_last_reader_goes() {
    check(&invariants(), async |bench| {
        let (plane, names) = crowd(bench, 90).await;
        let mut held = Vec::new();
        for name in &names {
            let long = Duration::from_secs(600);
            held.push(grant(plane.locks().acquire(&reading(name, long)).await.unwrap()).fence);
        }
        let queued = Request { wait: Duration::from_secs(60), detach: true, ..request("writer", ON) };
        plane.locks().acquire(&queued).await.unwrap().unwrap();
        // Whoever comes later waits behind the writer.
        plane.locks().release(&lock(ON), &agent("r0"), held[0]).await.unwrap().unwrap();
        let late =
            Request { wait: Duration::from_secs(60), detach: true, ..reading("r0", Duration::from_secs(5)) };
        let place = plane.locks().acquire(&late).await.unwrap();
        assert!(matches!(place, Outcome::Done(Acquire::Queued { position: 2, .. })), "{place:?}");
        for (name, fence) in names.iter().zip(&held).skip(1) {
            plane.locks().release(&lock(ON), &agent(name), *fence).await.unwrap().unwrap();
        }
        let (held, shown) = known(bench, &plane).await;
        let holds: Vec<String> = held.into_keys().collect();
        assert_eq!((holds, shown), (vec!["writer".to_owned()], vec!["writer".to_owned()]));
    })
    .await;
}
