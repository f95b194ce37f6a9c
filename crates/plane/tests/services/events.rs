//! What services push is taken once, whole, and in its place.

use quorate_plane::invariants;
use quorate_plane::services::{EventFilter, Source, Took};
use quorate_store::{Notice, Topics};
use quorate_testkit::check;
use serde_json::{Value, json};

use super::support::{code, event, id, ingest, plane, pushed, register, task, text, texts};

fn at(task: &str, event_id: &str, timestamp: &str) -> Value {
    json!({ "task_id": task, "event_type": "status.running", "source_kind": "status", "event_id": event_id, "timestamp": timestamp })
}

#[tokio::test]
async fn an_event_is_taken_once_and_paged_through() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        assert_eq!(code(&plane.services().ingest(&pushed("pay", &event(0))).await.unwrap()), "no_service");
        register(&plane, "pay", "http://example.com").await;
        for number in 0..7 {
            assert_eq!(ingest(&plane, "pay", event(number)).await, Took::Inserted);
            assert_eq!(ingest(&plane, "pay", event(number)).await, Took::Duplicate);
        }
        let (services, any) = (plane.services(), EventFilter::default());
        let first = services.events(&id("pay"), &any, None, 4).await.unwrap().unwrap();
        assert_eq!((first.count, first.items[0].text("event_id")), (4, "e6"));
        let rest = services.events(&id("pay"), &any, first.next_cursor.as_deref(), 4).await.unwrap().unwrap();
        assert_eq!((rest.count, rest.next_cursor), (3, None));
        let of =
            EventFilter { task: Some(task("t0")), source: Some(Source::Status), ..EventFilter::default() };
        assert_eq!(services.events(&id("pay"), &of, None, 9).await.unwrap().unwrap().count, 3);
        let none = EventFilter { source: Some(Source::Observation), ..EventFilter::default() };
        assert_eq!(services.events(&id("pay"), &none, None, 9).await.unwrap().unwrap().count, 0);
        assert_eq!(
            code(&services.events(&id("pay"), &any, Some("gone"), 4).await.unwrap()),
            "unknown_cursor"
        );
        assert_eq!(code(&services.events(&id("none"), &any, None, 4).await.unwrap()), "no_service");
    })
    .await;
}

/// Relayna compares texts; a moment is one wherever its clock stands, and without a zone it is in UTC (1.4.3).
#[tokio::test]
async fn what_is_older_than_the_latest_says_so_across_offsets_and_without_a_zone() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        register(&plane, "pay", "http://example.com").await;
        let late =
            async |name: &str, time: &str| ingest(&plane, "pay", at("t", name, time)).await == Took::Late;
        assert!(!late("1", "2026-04-06T10:00:00+02:00").await);
        assert!(!late("2", "2026-04-06T08:00:01Z").await, "a second later, though its text is smaller");
        assert!(
            late("3", "2026-04-06T10:00:00.5+02:00").await,
            "half a second earlier, though its text is larger"
        );
        assert!(late("4", "2026-04-06T08:00:00").await, "no zone is UTC");
        assert!(!late("5", "2026-04-06T08:00:02.000001").await);
        assert!(late("6", "2026-04-06T03:00:02-05:00").await);
        assert!(!late("7", "2026-04-06T03:00:03-05:00").await);
        let latest = bench.scope.keys.relayna().service_task_latest(&id("pay"), &task("t"));
        assert_eq!(text(bench, &format!("GET {latest}")).await, "2026-04-06T03:00:03-05:00");
        assert!(!late("8", "2999-01-01T00:00:00Z").await);
        let after = json!({ "task_id": "t", "event_type": "x", "source_kind": "status", "event_id": "9" });
        assert_eq!(ingest(&plane, "pay", after).await, Took::Inserted, "one that says no time is not late");
        let now = quorate_store::Micros::parse_iso(&text(bench, &format!("GET {latest}")).await).unwrap();
        assert!(
            now <= plane.store().time().await.unwrap(),
            "a clock that is ahead does not make the rest late"
        );
        let all =
            plane.services().events(&id("pay"), &EventFilter::default(), None, 20).await.unwrap().unwrap();
        let flags = all.items.iter().rev().map(|event| event.0["out_of_order"] == true);
        assert_eq!(flags.collect::<Vec<_>>(), [false, false, true, true, false, true, false, false, false]);
    })
    .await;
}

#[tokio::test]
async fn a_history_is_bounded_and_forgets_what_has_expired() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let set = |name: &str, value: &str| {
            format!("SET {} {value}", bench.scope.keys.ade().config(&name.parse().unwrap()))
        };
        bench.cli(&set("studio_event_history_maxlen", "3")).await;
        bench.cli(&set("studio_event_store_ttl_seconds", "100")).await;
        register(&plane, "pay", "http://example.com").await;
        for number in 0..5 {
            ingest(&plane, "pay", event(number)).await;
        }
        let history = bench.scope.keys.relayna().service_history(&id("pay"));
        assert_eq!(texts(bench, &format!("LRANGE {history} 0 -1")).await.len(), 3);
        let oldest = texts(bench, &format!("LRANGE {history} -1 -1")).await.remove(0);
        let gone = bench.scope.keys.relayna().studio_event(&oldest.parse().unwrap());
        let ttl: i64 = text(bench, &format!("TTL {gone}")).await.parse().unwrap();
        assert!((95..=100).contains(&ttl));
        bench.cli(&format!("DEL {gone}")).await;
        assert_eq!(plane.services().prune().await.unwrap(), 1);
        assert_eq!(texts(bench, &format!("LRANGE {history} 0 -1")).await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn whoever_listens_hears_of_an_event_once_in_both_channels() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        register(&plane, "pay", "http://example.com").await;
        let seed = bench.scope.keys.relayna();
        let names = [seed.service_channel(&id("pay")), seed.service_task_channel(&id("pay"), &task("t0"))];
        let topics = Topics::channels(names.iter().map(|name| name.as_str().to_owned()));
        let mut heard = bench.scope.store.subscribe(topics).await.unwrap();
        for _ in 0..3 {
            ingest(&plane, "pay", event(0)).await;
        }
        ingest(&plane, "pay", event(1)).await;
        let mut said = Vec::new();
        while said.len() < 3 {
            if let Notice::Message { channel, payload, .. } = heard.next().await {
                let event: Value = serde_json::from_slice(&payload).unwrap();
                said.push((channel == names[0].as_str(), event["event_id"].as_str().unwrap().to_owned()));
            }
        }
        assert_eq!(said, [(true, "e0".to_owned()), (false, "e0".to_owned()), (true, "e1".to_owned())]);
    })
    .await;
}
