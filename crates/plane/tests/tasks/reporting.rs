//! An event is taken once, whoever sends it how often, and it is taken whole.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use quorate_plane::tasks::{Place, Taken};
use quorate_plane::{Plane, invariants};
use quorate_store::{Clock, Notice, Topics};
use quorate_testkit::chaos::Worker;
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check};
use serde_json::json;

use super::support::{accept, event, plane, statuses, take, task, text};

#[tokio::test]
async fn a_task_reports_and_is_read_back() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        assert!(plane.tasks().show(&task("t1")).await.unwrap().is_none());
        let document =
            json!({ "status": "queued", "event_id": "e1", "message": "hello", "meta": { "n": 1 } });
        let first = accept(&plane, "t1", document).await;
        assert_eq!((first.seq, first.place), (1, Place::Latest));
        accept(&plane, "t1", json!({ "status": "Completed", "result": { "ok": true } })).await;
        let shown = plane.tasks().show(&task("t1")).await.unwrap().unwrap();
        assert_eq!((shown.status.as_deref(), shown.ended, shown.events), (Some("Completed"), true, Some(2)));
        let history = plane.tasks().history(&task("t1"), 50).await.unwrap();
        assert_eq!(history.events.iter().map(|event| event.seq().unwrap()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!((history.truncated, history.unreadable), (false, 0));
        assert!(history.events.iter().all(|event| event.at().is_some()), "each has a time");
        let page = plane.tasks().list(None, 10).await.unwrap();
        assert_eq!((page.tasks[0].task_id.as_str(), page.next_cursor), ("t1", None));
    })
    .await;
}

/// `skips_duplicate_event_id` and `hash_dedupes_when_event_id_missing`.
#[tokio::test]
async fn the_same_event_is_taken_once_by_its_id_or_by_its_content() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        accept(&plane, "t", json!({ "status": "a", "event_id": "e1" })).await;
        let other = json!({ "status": "b", "event_id": "  e1 " });
        assert_eq!(take(&plane, "t", other).await, Taken::Duplicate(Some(1)), "the id is what counts");
        accept(&plane, "t", json!({ "status": "c", "meta": { "x": 1, "y": 2 } })).await;
        let same = json!({ "meta": { "y": 2, "x": 1 }, "status": "c", "task_id": "t" });
        assert_eq!(take(&plane, "t", same).await, Taken::Duplicate(Some(2)), "the order of names is nothing");
        accept(&plane, "t", json!({ "status": "c", "event_id": "e2" })).await;
        accept(&plane, "t", json!({ "status": "c", "event_id": "e3" })).await;
        assert_eq!(
            statuses(&plane, "t").await,
            ["c", "c", "c", "a"],
            "equal payloads with other ids are kept"
        );
    })
    .await;
}

/// D2: the same event from many clients at once is one entry and one message; each of them hears what became of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_clients_with_the_same_event_one_has_an_effect() {
    let (clients, events) = (32, size(60, 10_000));
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let channel = bench.scope.keys.relayna().status_channel(&task("t"));
        let mut heard = bench.scope.store.subscribe(Topics::channels([channel.as_str()])).await.unwrap();
        let mut running = Vec::new();
        for _ in 0..clients {
            let store = bench.another_store().await;
            let scope = quorate_store::invariant::Scope { store, keys: bench.scope.keys.clone() };
            let plane = Plane::new(scope).unwrap();
            running.push(tokio::spawn(async move {
                let mut accepted = 0;
                for number in 0..events {
                    let document = json!({ "status": "running", "event_id": format!("e{number}") });
                    let taken = plane.tasks().report(&event("t", document)).await.unwrap().unwrap();
                    accepted += usize::from(matches!(taken, Taken::Accepted(_)));
                }
                accepted
            }));
        }
        let mut messages = 0;
        while messages < events {
            match tokio::time::timeout(Duration::from_secs(20), heard.next()).await.expect("a message") {
                Notice::Message { .. } => messages += 1,
                other => panic!("{other:?}"),
            }
        }
        let mut accepted = 0;
        for one in running {
            accepted += one.await.unwrap();
        }
        assert_eq!(accepted, events);
        assert!(
            tokio::time::timeout(Duration::from_millis(200), heard.next()).await.is_err(),
            "no message more"
        );
        assert_eq!(plane.tasks().show(&task("t")).await.unwrap().unwrap().events, Some(events as u64));
        say(&format!("D2: {clients} clients, {events} events each: {accepted} taken, {messages} messages"));
    })
    .await;
}

#[tokio::test]
async fn a_history_has_its_length_and_its_life_and_says_what_it_dropped() {
    check(&invariants(), async |bench| {
        let set = |name: &str| {
            let name = quorate_catalog::ids::ConfigName::parse(name).unwrap();
            bench.scope.keys.ade().config(&name).to_string()
        };
        bench.cli(&format!("SET {} 3", set("store_history_maxlen"))).await;
        bench.cli(&format!("SET {} 600", set("store_ttl_seconds"))).await;
        let plane = plane(bench);
        for number in 0..5 {
            accept(&plane, "t", json!({ "status": format!("s{number}") })).await;
        }
        assert_eq!(statuses(&plane, "t").await, ["s4", "s3", "s2"]);
        assert!(plane.tasks().history(&task("t"), 50).await.unwrap().truncated);
        let history = bench.scope.keys.relayna().status_history(&task("t"));
        assert!(["599", "600"].contains(&text(bench, &format!("TTL {history}")).await.as_str()));
        let later = super::order::at(bench, Clock::Offset(700 * 1_000_000));
        bench.cli(&format!("DEL {history}")).await;
        accept(&later, "u", json!({ "status": "new" })).await;
        let page = later.tasks().list(None, 10).await.unwrap();
        assert_eq!(page.tasks.len(), 1, "what is past its time leaves the list when another comes");
    })
    .await;
}

#[tokio::test]
async fn pages_of_tasks_name_each_once_also_where_many_reported_at_one_moment() {
    check(&invariants(), async |bench| {
        let now = bench.scope.store.time().await.unwrap();
        let plane = super::order::at(bench, Clock::Fixed(now));
        for number in 0..25 {
            accept(&plane, &format!("t{number}"), json!({ "status": "running" })).await;
        }
        let (mut seen, mut cursor) = (BTreeSet::new(), None);
        loop {
            let page = plane.tasks().list(cursor.as_deref(), 4).await.unwrap();
            assert!(page.tasks.len() <= 4);
            for task in page.tasks {
                assert!(seen.insert(task.task_id.clone()), "{} came twice", task.task_id);
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen.len(), 25);
        assert!(plane.tasks().list(Some("nonsense"), 4).await.is_err());
    })
    .await;
}

fn reporter(bench: &Bench, number: usize, events: usize) -> Worker {
    let namespace = bench.scope.keys.namespace_text();
    let mut command = Command::new(env!("CARGO_BIN_EXE_task-worker"));
    command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':'));
    command.arg(format!("task-{number}")).arg(events.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Worker::spawn(&mut command).expect("the reporter starts")
}

/// D1: reporters are killed at any moment and begin again from the start: every event is there once, in history, feed and
/// count, and none is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reporters_that_are_killed_lose_nothing_and_report_nothing_twice() {
    let (kills, events) = (size(12, 200), 40);
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for round in 0..kills {
            let mut worker = reporter(bench, round % 3, events);
            tokio::time::sleep(Duration::from_millis(15 + (round as u64 * 7) % 40)).await;
            worker.kill9().unwrap();
        }
        for number in 0..3 {
            let mut worker = reporter(bench, number, events);
            let ended = worker.wait(Duration::from_secs(30)).unwrap().expect("it ends");
            assert!(ended.success());
            let name = format!("task-{number}");
            let history = plane.tasks().history(&task(&name), 100).await.unwrap();
            let numbers: BTreeSet<u64> = history.events.iter().filter_map(|event| event.seq()).collect();
            assert_eq!((history.events.len(), numbers.len()), (events, events), "each once");
            assert_eq!(plane.tasks().show(&task(&name)).await.unwrap().unwrap().events, Some(events as u64));
        }
        let feed = bench.scope.keys.relayna().feed();
        assert_eq!(text(bench, &format!("LLEN {feed}")).await, (3 * events).to_string());
        say(&format!("D1: {kills} kills of reporters, {} events: each once", 3 * events));
    })
    .await;
}
