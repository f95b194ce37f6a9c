//! Observations, and the feed that has them and the status events in one.

use quorate_catalog::ids::{ConfigName, TaskStore};
use quorate_plane::json::Object;
use quorate_plane::tasks::{FeedPage, Observation, Part};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::cmd;
use quorate_testkit::{Bench, check};
use serde_json::{Value, json};

use super::support::{accept, code, dump, plane, take, task};

pub(crate) fn seen(name: &str, document: Value) -> Observation {
    Observation::of(task(name), Object::parse(&document.to_string()).unwrap()).unwrap()
}

async fn observe(plane: &Plane, name: &str, document: Value) -> bool {
    plane.tasks().observe(&seen(name, document)).await.unwrap().unwrap()
}

async fn page(plane: &Plane, part: Part<'_>, limit: usize) -> FeedPage {
    plane.tasks().feed(part, limit).await.unwrap().unwrap()
}

fn cursors(page: &FeedPage) -> Vec<&str> {
    page.items.iter().filter_map(|item| item.text("cursor")).collect()
}

async fn set(bench: &Bench, name: &str, value: &str) {
    let key = bench.scope.keys.ade().config(&ConfigName::parse(name).unwrap());
    bench.cli(&format!("SET {key} {value}")).await;
}

#[tokio::test]
async fn an_observation_is_taken_once_and_the_feed_has_it_beside_the_status() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        accept(&plane, "t", json!({ "status": "Running", "event_id": "e1", "correlation_id": "c" })).await;
        let document =
            json!({ "event_type": "TaskMessageReceived", "component": "consumer", "retry_attempt": 0 });
        assert!(observe(&plane, "t", document.clone()).await);
        assert!(!observe(&plane, "t", document).await, "the same content is the same observation");
        let found = plane.tasks().observations(&task("t"), 10).await.unwrap();
        assert_eq!((found.events.len(), found.events[0].text("component")), (1, Some("consumer")));
        let feed = page(&plane, Part::Newest, 10).await;
        let field = |at: usize, name: &str| feed.items[at].text(name).map(str::to_owned);
        assert_eq!((feed.count, feed.next_cursor.clone(), feed.gap.clone()), (2, None, None));
        assert_eq!(field(0, "source_kind").as_deref(), Some("observation"));
        assert_eq!(
            (field(1, "cursor").as_deref(), field(1, "event_type").as_deref()),
            (Some("e1"), Some("status.running"))
        );
        assert_eq!(feed.items[1].0["payload"]["correlation_id"], "c");
        assert!(field(0, "timestamp").is_some() && field(1, "timestamp").is_some());
    })
    .await;
}

/// Relayna drops the second: its cursor is the event's id alone.
#[tokio::test]
async fn two_tasks_that_use_one_event_id_are_both_in_the_feed() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for name in ["a", "b"] {
            accept(&plane, name, json!({ "status": "running", "event_id": "same" })).await;
            take(&plane, name, json!({ "status": "running", "event_id": "same" })).await;
        }
        assert_eq!(cursors(&page(&plane, Part::Newest, 10).await), ["b:same", "same"]);
    })
    .await;
}

#[tokio::test]
async fn pages_have_every_event_once_while_others_come_in() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let add = async |number: usize| {
            accept(
                &plane,
                &format!("t{}", number % 3),
                json!({ "status": "s", "event_id": format!("e{number}") }),
            )
            .await;
        };
        for number in 0..250 {
            add(number).await;
        }
        let (mut seen, mut cursor, mut next) = (Vec::new(), None::<String>, 250);
        loop {
            let part = cursor.as_deref().map_or(Part::Newest, Part::After);
            let found = page(&plane, part, 40).await;
            assert_eq!(found.gap, None);
            seen.extend(cursors(&found).iter().map(|cursor| (*cursor).to_owned()));
            add(next).await;
            next += 1;
            cursor = found.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let all: Vec<String> = (0..250).rev().map(|number| format!("e{number}")).collect();
        assert_eq!(seen, all);
        let newer = page(&plane, Part::Since("e249"), 3).await;
        assert_eq!(
            (cursors(&newer), newer.next_cursor.as_deref()),
            (vec!["e250", "e251", "e252"], Some("e252"))
        );
        assert_eq!(
            cursors(&page(&plane, Part::Since(&format!("e{}", next - 1)), 3).await),
            Vec::<&str>::new()
        );
    })
    .await;
}

#[tokio::test]
async fn a_cursor_that_is_gone_or_was_never_there_is_told_so() {
    check(&invariants(), async |bench| {
        set(bench, "service_event_feed_maxlen", "10").await;
        let plane = plane(bench);
        for number in 0..30 {
            accept(&plane, "t", json!({ "status": "s", "event_id": format!("e{number}") })).await;
        }
        let older = page(&plane, Part::After("e5"), 5).await;
        assert_eq!((older.count, older.next_cursor), (0, None), "what is older than what is gone is gone");
        assert_eq!(older.gap.unwrap().reason, "trimmed");
        let newer = page(&plane, Part::Since("e5"), 5).await;
        let gap = newer.gap.clone().unwrap();
        assert_eq!((gap.reason, gap.lost), ("trimmed", Some(14)), "e6 to e19");
        assert_eq!(cursors(&newer), ["e20", "e21", "e22", "e23", "e24"]);
        let never = page(&plane, Part::After("../../x"), 2).await;
        assert_eq!(
            (cursors(&never), never.gap.as_ref().unwrap().reason),
            (vec!["e29", "e28"], "unknown"),
            "the newest page"
        );
        let last = page(&plane, Part::After("e20"), 5).await;
        assert_eq!(
            (last.count, last.gap),
            (0, None),
            "the oldest that is kept has nothing after it, and no gap"
        );
    })
    .await;
}

#[tokio::test]
async fn what_foreign_clients_put_into_the_feed_or_took_out_shifts_no_page() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let feed = bench.scope.keys.relayna().feed();
        let push = async |item: &str| {
            bench.scope.store.query::<u64>(cmd("LPUSH").arg(feed.as_str()).arg(item)).await.unwrap();
        };
        for number in 0..6 {
            accept(&plane, "t", json!({ "status": "s", "event_id": format!("e{number}") })).await;
            push(&format!("{{\"cursor\": \"foreign-{number}\", \"task_id\": \"t\"}}")).await;
        }
        push("garbage").await;
        assert_eq!(cursors(&page(&plane, Part::After("e3"), 2).await), ["foreign-2", "e2"]);
        assert_eq!(cursors(&page(&plane, Part::After("foreign-1"), 2).await), ["e1", "foreign-0"]);
        assert_eq!(page(&plane, Part::Newest, 5).await.unreadable, 1);
        bench.cli(&format!("LTRIM {feed} 7 -1")).await;
        assert_eq!(
            cursors(&page(&plane, Part::After("e2"), 1).await),
            ["foreign-1"],
            "found though all has moved up"
        );
        bench.cli(&format!("EXPIRE {feed} 100")).await;
    })
    .await;
}

#[tokio::test]
async fn an_observation_with_a_wrong_typed_key_anywhere_is_refused_whole() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let (seed, own) = (bench.scope.keys.relayna(), bench.scope.keys.quorate());
        let state = own.feed_state(&TaskStore::parse("relayna-service-events").unwrap());
        for (key, poison) in
            [(seed.observation_history(&task("t")), "SADD"), (seed.feed(), "SADD"), (state, "LPUSH")]
        {
            bench.scope.store.query::<u64>(cmd(poison).arg(key.as_str()).arg("poison")).await.unwrap();
            let before = dump(bench).await;
            let refused: Outcome<bool> =
                plane.tasks().observe(&seen("t", json!({ "event_type": "X" }))).await.unwrap();
            assert_eq!(code(&refused), "wrong_type", "{key}");
            if key.as_str().contains("feed") {
                assert_eq!(code(&plane.tasks().feed(Part::Newest, 5).await.unwrap()), "wrong_type");
            }
            assert_eq!(dump(bench).await, before, "{key}");
            bench.scope.store.query::<u64>(cmd("DEL").arg(key.as_str())).await.unwrap();
        }
        assert!(observe(&plane, "t", json!({ "event_type": "X" })).await);
    })
    .await;
}
