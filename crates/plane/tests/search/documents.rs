//! What a document is after the events of its task, and that every list knows it.

use std::time::Duration;

use quorate_plane::invariants;
use quorate_plane::search::{Sighting, TaskQuery};
use quorate_store::cmd;
use quorate_testkit::{check, check_verbatim};

use super::support::{at, by_status, code, dump, found, note, plane, search, seen, texts};

#[tokio::test]
async fn a_replaced_document_leaves_no_list_that_it_is_not_in() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench);
        note(&plane, &Sighting { stage: Some("fetch".into()), ..seen("api", "t1", "running") }).await;
        note(&plane, &Sighting { stage: Some("store".into()), ..seen("api", "t1", "completed") }).await;
        assert_eq!(found(&plane, &by_status("running")).await.0, Vec::<String>::new());
        assert_eq!(found(&plane, &by_status("completed")).await.0, ["t1"]);
        let left = texts(bench, "KEYS *running*").await.len() + texts(bench, "KEYS *fetch*").await.len();
        assert_eq!(left, 0, "nothing names what it was");
    })
    .await;
}

#[tokio::test]
async fn the_newest_event_decides_in_whatever_order_events_come_and_whatever_zone_they_name() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let late = Sighting { at: Some(at("2026-04-06T10:00:00+02:00")), ..seen("api", "t1", "running") };
        let newest = Sighting { at: Some(at("2026-04-06T08:00:01")), ..seen("api", "t1", "completed") };
        let oldest = Sighting {
            at: Some(at("2026-04-06T07:59:00Z")),
            correlation_id: Some("order-7".into()),
            ..seen("api", "t1", "queued")
        };
        for event in [&newest, &late, &oldest] {
            note(&plane, event).await;
        }
        let query = TaskQuery { task_id: Some("t1".into()), limit: 50, ..TaskQuery::default() };
        let known = search(&plane, &query).await.items.remove(0);
        assert_eq!(
            (known.status.as_deref(), known.correlation_id.as_deref()),
            (Some("completed"), Some("order-7"))
        );
        assert_eq!(known.first_seen_at.as_deref(), Some("2026-04-06T07:59:00.000000Z"));
        assert_eq!(known.last_seen_at.as_deref(), Some("2026-04-06T08:00:01.000000Z"));
        assert_eq!(known.latest_event_type.as_deref(), Some("status.completed"));
    })
    .await;
}

#[tokio::test]
async fn two_tasks_whose_names_meet_at_a_separator_have_two_documents() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        // Joined by any sign that a name may have, both would be one.
        note(&plane, &seen("a-b", "c", "running")).await;
        note(&plane, &seen("a", "b-c", "running")).await;
        let mut names = found(&plane, &by_status("running")).await.0;
        names.sort();
        assert_eq!(names, ["b-c", "c"]);
    })
    .await;
}

#[tokio::test]
async fn hostile_values_are_found_by_what_they_are() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let values = ["a:b", "a%3Ab", "*", "ü \"x\"", "{tag}", "x\ny", &"long ".repeat(60), "sha1-x"];
        for (number, value) in values.iter().enumerate() {
            let task = format!("t{number}");
            note(
                &plane,
                &Sighting { correlation_id: Some((*value).into()), ..seen("api", &task, "running") },
            )
            .await;
        }
        for (number, value) in values.iter().enumerate() {
            let query =
                TaskQuery { correlation_id: Some((*value).into()), limit: 50, ..TaskQuery::default() };
            assert_eq!(found(&plane, &query).await.0, [format!("t{number}")], "{value}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_clock_that_is_ahead_puts_nothing_before_what_happens_now() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        note(&plane, &Sighting { at: Some(at("2999-01-01T00:00:00Z")), ..seen("api", "ahead", "running") })
            .await;
        // A view is in the order of milliseconds.
        tokio::time::sleep(Duration::from_millis(2)).await;
        note(&plane, &seen("api", "now", "running")).await;
        assert_eq!(found(&plane, &by_status("running")).await.0, ["now", "ahead"]);
    })
    .await;
}

#[tokio::test]
async fn a_wrong_typed_key_anywhere_is_a_refusal_and_nothing_is_half_applied() {
    check_verbatim(&[], async |bench| {
        let plane = plane(bench);
        let first = Sighting {
            correlation_id: Some("c".into()),
            stage: Some("s".into()),
            ..seen("api", "t1", "running")
        };
        note(&plane, &first).await;
        let next = Sighting { stage: Some("s2".into()), ..seen("api", "t1", "completed") };
        let keys: Vec<String> = texts(bench, "KEYS *").await;
        assert!(keys.len() > 14, "{keys:?}");
        for key in keys.iter().chain([
            &"studio:search:task:filter:status:completed".to_owned(),
            &"studio:search:task:filter:stage:s2".to_owned(),
        ]) {
            let kept: Option<Vec<u8>> = bench.scope.store.query(cmd("DUMP").arg(key)).await.unwrap();
            bench.scope.store.query::<u64>(cmd("DEL").arg(key)).await.unwrap();
            bench.scope.store.query::<u64>(cmd("HSET").arg(key).arg("poison").arg(1)).await.unwrap();
            let before = dump(bench).await;
            assert_eq!(code(&plane.search().note(&next).await.unwrap()), "wrong_type", "{key}");
            assert_eq!(dump(bench).await, before, "{key}");
            bench.scope.store.query::<u64>(cmd("DEL").arg(key)).await.unwrap();
            if let Some(kept) = kept {
                let mut restore = cmd("RESTORE");
                restore.arg(key).arg(0).arg(kept);
                bench.scope.store.query::<()>(&restore).await.unwrap();
            }
        }
        note(&plane, &next).await;
        assert_eq!(found(&plane, &by_status("completed")).await.0, ["t1"]);
    })
    .await;
}
