//! Reading feeds: nothing is skipped, and what is lost is said.

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use quorate_plane::services::{EventFilter, Pulled};
use quorate_plane::{Plane, invariants};
use quorate_testkit::chaos::Worker;
use quorate_testkit::{Bench, check};
use serde_json::json;

use super::support::{Fake, code, id, plane, register, text};

async fn watched(bench: &Bench) -> (Plane, Fake) {
    let (plane, fake) = (plane(bench), Fake::start().await);
    register(&plane, "pay", &fake.url()).await;
    plane.services().refresh(&id("pay")).await.unwrap().unwrap();
    fake.asked();
    (plane, fake)
}

async fn pull(plane: &Plane) -> Pulled {
    plane.services().pull(&id("pay")).await.unwrap().unwrap()
}

async fn cursor(plane: &Plane) -> String {
    plane.services().reading(&id("pay")).await.unwrap().cursor.unwrap_or_default()
}

async fn known(plane: &Plane) -> Vec<usize> {
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let page = plane
            .services()
            .events(&id("pay"), &EventFilter::default(), before.as_deref(), 500)
            .await
            .unwrap()
            .unwrap();
        all.extend(page.items.iter().map(|event| event.text("event_id")[1..].parse::<usize>().unwrap()));
        before = page.next_cursor;
        if before.is_none() {
            return all;
        }
    }
}

/// Relayna 1.3.9: the cursor stood still, and every look took everything again.
#[tokio::test]
async fn the_cursor_advances_and_only_what_is_new_is_read() {
    check(&invariants(), async |bench| {
        let (plane, fake) = watched(bench).await;
        assert_eq!(pull(&plane).await.events.inserted, 0, "an empty feed");
        fake.reports(0, 250);
        let first = pull(&plane).await;
        assert_eq!((first.events.inserted, first.gap, first.more), (250, false, false));
        assert_eq!((cursor(&plane).await.as_str(), fake.asked().len()), ("c249", 3));
        assert_eq!(known(&plane).await, (0..250).rev().collect::<Vec<_>>(), "in their order");
        fake.reports(250, 253);
        let next = pull(&plane).await;
        assert_eq!((next.events.inserted, next.events.duplicate), (3, 0), "nothing is taken again");
        assert_eq!((cursor(&plane).await.as_str(), fake.asked().len()), ("c252", 1));
        let late =
            plane.services().events(&id("pay"), &EventFilter::default(), None, 5).await.unwrap().unwrap();
        assert!(late.items.iter().all(|event| event.0["out_of_order"] == false), "the oldest is taken first");
        assert_eq!(pull(&plane).await.events.duplicate, 0);
    })
    .await;
}

/// Relayna 1.3.9: what came with an answer that was no 2xx was dropped. And a walk that is longer than one turn goes on, where
/// Relayna stored the newest cursor and skipped what lay between.
#[tokio::test]
async fn a_service_that_fails_in_between_and_a_walk_of_many_turns_skip_nothing() {
    check(&invariants(), async |bench| {
        let (plane, fake) = watched(bench).await;
        fake.reports(0, 10);
        pull(&plane).await;
        fake.answers_all(Some(503));
        fake.reports(10, 20);
        let failed = pull(&plane).await;
        assert_eq!((failed.trouble.as_deref(), failed.events.inserted), (Some("HTTP 503"), 0));
        assert_eq!(cursor(&plane).await, "c9", "it stands where everything before was taken");
        let reading = plane.services().reading(&id("pay")).await.unwrap();
        assert_eq!(reading.trouble.as_deref(), Some("HTTP 503"));
        fake.answers_all(None);
        // More than one turn takes: 25 pages of 200.
        fake.reports(20, 5_260);
        let history = bench.scope.keys.ade().config(&"studio_event_history_maxlen".parse().unwrap());
        bench.cli(&format!("SET {history} 20000")).await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let first = pull(&plane).await;
        assert_eq!((first.events.inserted, first.more, first.gap), (5_000, true, false));
        assert_eq!(cursor(&plane).await, "c9", "the cursor waits for the whole walk");
        fake.reports(5_260, 5_270);
        let second = pull(&plane).await;
        assert_eq!((second.events.inserted, second.more, second.gap), (250, false, false));
        assert_eq!(cursor(&plane).await, "c5259", "where the walk began");
        assert_eq!(pull(&plane).await.events.inserted, 10);
        let mut all = known(&plane).await;
        all.sort_unstable();
        assert_eq!(all, (0..5_270).collect::<Vec<_>>(), "each once, and none is missing");
    })
    .await;
}

#[tokio::test]
async fn events_that_were_gone_before_they_could_be_read_are_said_aloud() {
    check(&invariants(), async |bench| {
        let (plane, fake) = watched(bench).await;
        fake.reports(0, 10);
        pull(&plane).await;
        fake.reports(10, 500);
        fake.keeps(100);
        let lost = pull(&plane).await;
        assert_eq!((lost.gap, lost.events.inserted, cursor(&plane).await.as_str()), (true, 100, "c499"));
        let reading = plane.services().reading(&id("pay")).await.unwrap();
        assert_eq!((reading.gaps, reading.gap_after.as_deref()), (1, Some("c9")));
        assert!(reading.gap_at.is_some());
        assert!(!pull(&plane).await.gap, "once");
        // The place of a walk is gone too: a feed of Relayna's then begins at its newest again.
        fake.reports(500, 6_000);
        assert!(pull(&plane).await.more);
        fake.keeps(50);
        let lost = pull(&plane).await;
        assert_eq!((lost.gap, lost.more, cursor(&plane).await.as_str()), (true, false, "c5999"));
    })
    .await;
}

#[tokio::test]
async fn what_nobody_can_understand_is_counted_and_does_not_stop_the_rest() {
    check(&invariants(), async |bench| {
        let (plane, fake) = watched(bench).await;
        fake.reports(0, 3);
        let bad = json!({ "cursor": "x", "task_id": "a:b", "event_type": "x", "source_kind": "status", "event_id": "x" });
        fake.adds(bad);
        fake.reports(3, 5);
        let pulled = pull(&plane).await;
        assert_eq!((pulled.events.inserted, pulled.events.invalid, cursor(&plane).await.as_str()), (5, 1, "c4"));
        let off = quorate_plane::services::Change { status: Some(quorate_plane::services::ByHand::Disabled), ..Default::default() };
        plane.services().update(&id("pay"), &off).await.unwrap().unwrap();
        assert_eq!(code(&plane.services().pull(&id("pay")).await.unwrap()), "service_disabled");
    })
    .await;
}

/// Any number of processes: a service is with one of them at a time, and each service has its turn, whoever registered it.
#[tokio::test]
async fn what_is_due_is_given_to_one_process_and_every_service_comes_up() {
    check(&invariants(), async |bench| {
        let (plane, fake) = watched(bench).await;
        fake.reports(0, 20);
        fake.takes(Duration::from_millis(200));
        let other = super::support::plane(bench);
        let said = Mutex::new(Vec::new());
        let say = |text: &str| said.lock().unwrap().push(text.to_owned());
        let (first, second) = (plane.services(), other.services());
        let (one, two) = tokio::join!(first.pull_due(&say), second.pull_due(&say));
        assert_eq!(one.unwrap() + two.unwrap(), 1, "one of the two had it");
        assert_eq!(known(&plane).await.len(), 20);
        assert_eq!(plane.services().pull_due(&say).await.unwrap(), 0, "not again before its time");
        // One that another client registers comes up without being told to us.
        let seed = bench.scope.keys.relayna();
        bench.cli(&format!("SADD {} theirs", seed.service_index())).await;
        bench.cli(&format!("SET {} '{{\"service_id\":\"theirs\",\"name\":\"T\",\"base_url\":\"http://example.com/t\",\"environment\":\"dev\",\"auth_mode\":\"x\",\"status\":\"registered\"}}'", seed.service(&id("theirs")))).await;
        bench.cli(&format!("SET {} theirs", seed.service_by_url(&"dev".parse().unwrap(), &"http://example.com/t".parse().unwrap()))).await;
        assert_eq!(plane.services().pull_due(&say).await.unwrap(), 1);
        fake.reports(20, 100);
        fake.keeps(3);
        let turns = bench.scope.keys.quorate().service_turns(quorate_catalog::ids::ServiceTurn::Pull, &"studio:services".parse().unwrap());
        bench.cli(&format!("ZADD {turns} 0 pay")).await;
        plane.services().pull_due(&say).await.unwrap();
        assert!(said.lock().unwrap().iter().any(|text| text.contains("pay were gone")), "{said:?}");
    })
    .await;
}

fn puller(bench: &Bench) -> Worker {
    let mut command = Command::new(env!("CARGO_BIN_EXE_task-worker"));
    command.arg(bench.node.url().reveal()).arg(bench.scope.keys.namespace_text()).arg("pull").arg("pay");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Worker::spawn(&mut command).expect("the puller starts")
}

/// D1, D2: pullers are killed at any moment, while the feed grows: every event is there once, and none is skipped.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pullers_that_are_killed_skip_nothing_and_take_nothing_twice() {
    check(&invariants(), async |bench| {
        let (plane, fake) = watched(bench).await;
        for round in 0..10 {
            fake.reports(round * 60, (round + 1) * 60);
            let mut worker = puller(bench);
            tokio::time::sleep(Duration::from_millis(20 + (round as u64 * 13) % 60)).await;
            worker.kill9().unwrap();
        }
        while cursor(&plane).await != "c599" {
            let pulled = pull(&plane).await;
            assert!(!pulled.gap && pulled.trouble.is_none(), "{pulled:?}");
        }
        let mut all = known(&plane).await;
        all.sort_unstable();
        assert_eq!(all, (0..600).collect::<Vec<_>>());
        assert_eq!(
            text(bench, &format!("LLEN {}", bench.scope.keys.relayna().service_history(&id("pay")))).await,
            "600"
        );
    })
    .await;
}
