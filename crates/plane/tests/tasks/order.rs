//! Which event counts: the newest of the newest attempt, and the end before all others.

use quorate_plane::tasks::Place;
use quorate_plane::{Plane, invariants};
use quorate_store::Clock;
use quorate_store::invariant::Scope;
use quorate_testkit::soak::{Dice, say, size};
use quorate_testkit::{Bench, check};
use serde_json::json;

use super::support::{accept, plane, statuses, task};

pub(crate) fn at(bench: &Bench, clock: Clock) -> Plane {
    let store = bench.scope.store.with_clock(clock);
    Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap()
}

#[tokio::test]
async fn what_is_late_or_after_the_end_is_kept_and_flagged_and_takes_nobodys_place() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let place = async |status: &str, time: &str| {
            accept(&plane, "t", json!({ "status": status, "timestamp": time })).await.place
        };
        assert_eq!(place("queued", "2026-04-06T10:00:00+02:00").await, Place::Latest);
        assert_eq!(place("running", "2026-04-06T08:00:05").await, Place::Latest, "no zone is UTC");
        assert_eq!(place("starting", "2026-04-06T08:00:03Z").await, Place::OutOfOrder);
        assert_eq!(statuses(&plane, "t").await, ["running", "starting", "queued"]);
        assert_eq!(place("COMPLETED", "2026-04-06T08:00:04Z").await, Place::Latest, "the end is the end");
        assert_eq!(place("running", "2026-04-06T09:00:00Z").await, Place::AfterEnd);
        assert_eq!(place("failed", "2026-04-06T09:30:00Z").await, Place::AfterEnd);
        let shown = plane.tasks().show(&task("t")).await.unwrap().unwrap();
        assert_eq!((shown.status.as_deref(), shown.ended), (Some("COMPLETED"), true));
        let history = plane.tasks().history(&task("t"), 50).await.unwrap();
        assert_eq!(history.events[0].status(), Some("COMPLETED"), "also for who reads the list's head");
        let flagged = |name: &str| history.events.iter().filter(|event| event.0.contains_key(name)).count();
        assert_eq!((flagged("out_of_order"), flagged("after_end")), (1, 2));
        let next = json!({ "status": "running", "meta": { "retry_attempt": 1 } });
        assert_eq!(accept(&plane, "t", next).await.place, Place::Latest, "another attempt begins anew");
        let old = json!({ "status": "failed", "meta": { "retry_attempt": 0 } });
        assert_eq!(accept(&plane, "t", old).await.place, Place::OutOfOrder);
        assert!(!plane.tasks().show(&task("t")).await.unwrap().unwrap().ended);
    })
    .await;
}

#[tokio::test]
async fn a_clock_that_is_ahead_makes_nobody_late() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        accept(&plane, "t", json!({ "status": "a", "timestamp": "2099-01-01T00:00:00Z" })).await;
        assert_eq!(accept(&plane, "t", json!({ "status": "b" })).await.place, Place::Latest);
    })
    .await;
}

/// D3: in whatever order the events of a task come in, the same one counts in the end.
#[tokio::test]
async fn the_same_event_counts_in_whatever_order_they_come() {
    let histories = size(60, 10_000);
    let mut dice = Dice::of("D3");
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for number in 0..histories {
            let (name, length) = (format!("t{number}"), 3 + dice.below(8));
            let (attempts, ends) = (1 + dice.below(3), dice.percent(50));
            let mut events: Vec<_> = (0..length)
                .map(|place| {
                    let attempt = place * attempts / length;
                    let last = (place + 1) * attempts / length > attempt;
                    let status = match (last, attempt + 1 == attempts) {
                        (true, true) if ends => "completed",
                        (true, false) => "failed",
                        _ => "running",
                    };
                    json!({ "status": status, "event_id": format!("e{place}"), "meta": { "attempt": attempt },
                        "timestamp": format!("2026-04-06T08:00:{place:02}Z") })
                })
                .collect();
            for place in (1..events.len()).rev() {
                events.swap(place, dice.below(place + 1));
            }
            for event in events {
                accept(&plane, &name, event).await;
            }
            let latest = plane.tasks().latest(&task(&name)).await.unwrap().unwrap();
            assert_eq!(latest.event_id(), Some(format!("e{}", length - 1).as_str()), "{name}");
            assert_eq!(plane.tasks().show(&task(&name)).await.unwrap().unwrap().ended, ends);
        }
        say(&format!(
            "D3: {histories} histories in any order: the last event of the last attempt counts in all"
        ));
    })
    .await;
}
