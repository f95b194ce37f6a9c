//! Pages: all filters hold, nothing is skipped or shown twice, and one call looks at a bounded number of documents.

use quorate_plane::invariants;
use quorate_plane::search::{Sighting, TaskQuery};
use quorate_store::Micros;
use quorate_testkit::check;

use super::support::{by_status, code, found, note, note_all, plane, search, seen};

#[tokio::test]
async fn a_search_asks_for_something_and_a_cursor_that_no_page_gave_is_refused() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let asked = async |query: TaskQuery| plane.search().tasks(&query).await.unwrap();
        assert_eq!(code(&asked(TaskQuery { limit: 50, ..TaskQuery::default() }).await), "no_filter");
        assert_eq!(code(&asked(by_status("  ")).await), "no_filter", "blanks ask for nothing");
        for cursor in ["x", "5~", "~", "%"] {
            let query = TaskQuery { cursor: Some(cursor.into()), ..by_status("running") };
            assert_eq!(code(&asked(query).await), "unknown_cursor", "{cursor}");
        }
        assert!(search(&plane, &by_status("running")).await.items.is_empty());
    })
    .await;
}

#[tokio::test]
async fn all_filters_hold_and_the_last_seen_comes_first() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for number in 0..60_u64 {
            let status = if number % 2 == 0 { "failed" } else { "completed" };
            let service = if number % 3 == 0 { "api" } else { "mail" };
            let event = Sighting {
                stage: Some(format!("s{}", number % 5)),
                environment: if number < 30 { "staging" } else { "production" }.into(),
                at: Some(Micros::from_millis(1_700_000_000_000 + number)),
                ..seen(service, &format!("t{number}"), status)
            };
            note(&plane, &event).await;
        }
        let query = TaskQuery { service_id: Some("api".into()), limit: 3, ..by_status("failed") };
        let expected: Vec<String> = (0..60).rev().filter(|n| n % 6 == 0).map(|n| format!("t{n}")).collect();
        assert_eq!(found(&plane, &query).await, (expected, 4), "four pages, the last not full");
        let narrow = TaskQuery { stage: Some("s0".into()), environment: Some("production".into()), ..query };
        assert_eq!(found(&plane, &narrow).await.0, ["t30"]);
        let window = TaskQuery {
            from: Some(Micros::from_millis(1_700_000_000_010)),
            to: Some(Micros::from_millis(1_700_000_000_012)),
            limit: 2,
            ..TaskQuery::default()
        };
        assert_eq!(found(&plane, &window).await, (vec!["t12".into(), "t11".into(), "t10".into()], 2));
    })
    .await;
}

#[tokio::test]
async fn pages_neither_skip_nor_repeat_while_documents_come_change_and_go() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        // Many of one millisecond: only their names tell them apart.
        for number in 0..40_u64 {
            let at = Some(Micros::from_millis(1_700_000_000_000 + number / 20));
            note(&plane, &Sighting { at, ..seen("api", &format!("t{number:02}"), "running") }).await;
        }
        let mut query = TaskQuery { limit: 7, ..by_status("running") };
        let first = search(&plane, &query).await;
        let mut shown: Vec<String> = first.items.iter().map(|item| item.task_id.clone()).collect();
        query.cursor = first.next_cursor;
        // The one that ended the page moves to the front, one that was not shown goes, and one is new.
        note(&plane, &seen("api", &shown[6].clone(), "running")).await;
        note(&plane, &seen("api", "t03", "completed")).await;
        note(&plane, &seen("api", "new", "running")).await;
        shown.extend(found(&plane, &query).await.0);
        let mut all: Vec<String> = (0..40).filter(|n| *n != 3).map(|n| format!("t{n:02}")).collect();
        shown.sort();
        all.sort();
        assert_eq!(shown, all);
    })
    .await;
}

#[tokio::test]
async fn two_large_filters_that_have_nothing_in_common_cost_a_bounded_number_of_looks_each_call() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let event = |number: u64| Sighting {
            stage: Some(["even", "odd"][number as usize % 2].into()),
            at: Some(Micros::from_millis(1_700_000_000_000 + number)),
            ..seen("api", &format!("t{number}"), ["failed", "completed"][number as usize % 2])
        };
        note_all(&plane, &(0..4_200).map(event).collect::<Vec<_>>()).await;
        // One that holds, at the far end.
        let hit = Sighting {
            stage: Some("odd".into()),
            at: Some(Micros::from_millis(1_600_000_000_000)),
            ..seen("api", "hit", "failed")
        };
        note(&plane, &hit).await;
        let query = TaskQuery { stage: Some("odd".into()), ..by_status("failed") };
        let first = search(&plane, &query).await;
        assert!(first.items.is_empty() && first.next_cursor.is_some(), "it stops and says where to go on");
        assert_eq!(found(&plane, &query).await, (vec!["hit".to_owned()], 2));
    })
    .await;
}
