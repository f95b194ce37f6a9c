//! Observations: the gate, the cap, and the way to the dead ones and back.

use std::time::Duration;

use crate::support::{plane, refused};
use quorate_plane::events::{Gate, Observation, Stream, Wake};
use quorate_plane::{Plane, invariants};
use quorate_store::{Clock, FromRedisValue};
use quorate_testkit::{Bench, check};

fn observation(content: &str) -> Observation {
    Observation { content: content.into(), topic: "disk".into(), source: "agent-1".into() }
}

async fn accepted(plane: &Plane, content: &str) -> String {
    match plane.observations().submit(&observation(content)).await.unwrap().unwrap() {
        Gate::Accepted { id } => id,
        other => panic!("{other:?}"),
    }
}

async fn set(bench: &Bench, name: &str, value: &str) {
    bench.cli(&format!("SET {}ade:config:{name} {value}", bench.scope.keys.namespace_text())).await;
}

async fn length(bench: &Bench, stream: Stream) -> u64 {
    u64::from_redis_value(bench.cli(&format!("XLEN {}", stream.key(&bench.scope.keys))).await).unwrap()
}

#[tokio::test]
async fn the_same_observation_is_let_in_once_in_fifteen_minutes() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        accepted(&plane, "full").await;
        let again = plane.observations().submit(&observation("full")).await.unwrap().unwrap();
        let Gate::Rejected { id, reason } = again else { panic!("{again:?}") };
        assert_eq!(reason, "duplicate");
        let dead = plane.observations().newest(true, 10).await.unwrap();
        assert_eq!(
            (dead[0].id.as_str(), dead[0].field("reason"), dead[0].field("content")),
            (id.as_str(), Some("duplicate"), Some("full"))
        );
        let other = Observation { topic: "memory".into(), ..observation("full") };
        assert!(matches!(plane.observations().submit(&other).await.unwrap().unwrap(), Gate::Accepted { .. }));
        for (minutes, let_in) in [(14, false), (16, true)] {
            let mut scope = bench.scope.clone();
            scope.store = scope.store.with_clock(Clock::Offset(minutes * 60_000_000));
            let later = Plane::new(scope).unwrap();
            let gate = later.observations().submit(&observation("full")).await.unwrap().unwrap();
            assert_eq!(matches!(gate, Gate::Accepted { .. }), let_in, "after {minutes} minutes");
        }
    })
    .await;
}

/// S1 for work: at the cap the sender is refused and nothing is dropped; what was refused can be sent again.
#[tokio::test]
async fn at_the_cap_the_sender_is_refused_and_nothing_is_dropped() {
    check(&invariants(), async |bench| {
        set(bench, "streams:observations", "50").await;
        let plane = plane(bench, &[]).await;
        let (mut sent, mut turned_away) = (Vec::new(), 0);
        for n in 0..70 {
            match plane.observations().submit(&observation(&format!("o{n}"))).await.unwrap() {
                quorate_plane::Outcome::Done(Gate::Accepted { id }) => sent.push(id),
                other => {
                    assert!(refused(other).is("full"));
                    turned_away += 1;
                }
            }
        }
        assert_eq!((sent.len(), turned_away, length(bench, Stream::Pending).await), (50, 20, 50));
        let batch =
            plane.observations().read("consolidator", "c", 100, Duration::ZERO).await.unwrap().unwrap();
        let read: Vec<String> = batch.entries.iter().map(|entry| entry.id.clone()).collect();
        assert_eq!(read, sent, "all that were taken in are delivered");
        assert!(
            refused(plane.observations().submit(&observation("o60")).await.unwrap()).is("full"),
            "delivered is not done"
        );
        plane.observations().ack("consolidator", Some("c"), &read[..10]).await.unwrap().unwrap();
        accepted(&plane, "o60").await;
        assert_eq!(
            length(bench, Stream::Pending).await,
            41,
            "room was made by what everybody has acknowledged"
        );
    })
    .await;
}

#[tokio::test]
async fn a_rejected_observation_goes_to_the_dead_ones_and_comes_back_once() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let id = accepted(&plane, "odd").await;
        let read = plane.observations().read("consolidator", "c", 10, Duration::ZERO).await.unwrap().unwrap();
        assert_eq!(read.entries[0].id, id);
        let foreign = plane.observations().reject("consolidator", "other", &id, "no").await.unwrap();
        assert_eq!(refused(foreign).detail.as_deref(), Some("c"));
        let dead =
            plane.observations().reject("consolidator", "c", &id, "does not parse").await.unwrap().unwrap();
        assert!(
            refused(plane.observations().reject("consolidator", "c", &id, "again").await.unwrap())
                .is("not_yours")
        );
        let kept = plane.observations().newest(true, 10).await.unwrap();
        assert_eq!(
            (kept[0].field("reason"), kept[0].field("original_id")),
            (Some("does not parse"), Some(id.as_str()))
        );
        let observations = plane.observations();
        let (one, two) = tokio::join!(observations.revive(&dead), observations.revive(&dead));
        let outcomes = [one.unwrap(), two.unwrap()];
        assert_eq!(outcomes.iter().filter(|outcome| outcome.refusal().is_none()).count(), 1);
        let back = plane.observations().read("consolidator", "c", 10, Duration::ZERO).await.unwrap().unwrap();
        assert_eq!((back.entries.len(), back.entries[0].field("content")), (1, Some("odd")));
        assert_eq!(length(bench, Stream::Dead).await, 0);
        assert_eq!(plane.observations().drop(std::slice::from_ref(&dead)).await.unwrap(), 0);
    })
    .await;
}

fn wake() -> Wake {
    Wake {
        waker: "anchor".into(),
        target: "worker-1".into(),
        method: "process_signal".into(),
        fence: None,
        payload: b"SIGUSR1".to_vec(),
        reason: "silent for 10 minutes".into(),
        pseudoagent: false,
    }
}

#[tokio::test]
async fn a_wake_is_on_record_before_it_happens() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let mut fences = Vec::new();
        for round in 1..=3 {
            let seen = plane
                .events()
                .wake(&wake(), async |_| length(bench, Stream::Wake).await)
                .await
                .unwrap()
                .unwrap();
            assert_eq!(seen.1, round, "the record was there when the wake happened");
            fences.push(seen.0.fence);
        }
        assert!(fences.is_sorted_by(|a, b| a < b));
        let entry = plane.events().newest(Stream::Wake, 1).await.unwrap().remove(0);
        assert_eq!(entry.field("target"), Some("worker-1"));
        assert_eq!(entry.field("payload_sha256").map(str::len), Some(64));
        assert!(plane.events().wake(&Wake { method: "shout".into(), ..wake() }, async |_| ()).await.is_err());
    })
    .await;
}

/// Without a record there is no wake.
#[tokio::test]
async fn nobody_is_woken_while_the_store_cannot_record_it() {
    let bench = Bench::start().await;
    let mut scope = bench.scope.clone();
    scope.store = scope.store.within(Duration::from_millis(300));
    let plane = Plane::new(scope).unwrap();
    drop(bench);
    let mut woken = false;
    assert!(plane.events().wake(&wake(), async |_| woken = true).await.is_err());
    assert!(!woken);
}
