//! Parents and children: listed, capped, and never in a ring.

use quorate_plane::invariants;
use quorate_plane::tasks::Kin;
use quorate_testkit::check;
use serde_json::{Value, json};

use super::support::{accept, code, dump, event, plane, task};

fn child_of(parent: &str, status: &str) -> Value {
    json!({ "status": status, "meta": { "parent_task_id": parent } })
}

#[tokio::test]
async fn a_parent_has_its_children_and_an_unknown_one_is_a_parent_too() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for name in ["c2", "c1"] {
            assert_eq!(accept(&plane, name, child_of(" nobody-yet ", "running")).await.kin, Kin::Listed);
        }
        assert_eq!(
            accept(&plane, "c1", child_of("c1", "self")).await.kin,
            Kin::None,
            "a task is not its own parent"
        );
        assert_eq!(accept(&plane, "c1", child_of("other", "moved")).await.kin, Kin::OtherParent);
        let children = plane.tasks().children(&task("nobody-yet"), 10).await.unwrap();
        assert_eq!(
            (children.children, children.total, children.truncated),
            (vec!["c1".into(), "c2".into()], 2, false)
        );
        assert!(plane.tasks().children(&task("nobody-yet"), 1).await.unwrap().truncated);
        let shown = plane.tasks().show(&task("c1")).await.unwrap().unwrap();
        assert_eq!((shown.parent.as_deref(), shown.children), (Some("nobody-yet"), 0));
    })
    .await;
}

#[tokio::test]
async fn a_ring_is_refused_and_nothing_of_it_is_written() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        // The child reports before its parent does, so no list of ancestors could have been kept with it.
        accept(&plane, "a", child_of("b", "running")).await;
        accept(&plane, "b", child_of("c", "running")).await;
        let before = dump(bench).await;
        let refused = plane.tasks().report(&event("c", child_of("a", "running"))).await.unwrap();
        assert_eq!(code(&refused), "cycle");
        assert_eq!(dump(bench).await, before);
        assert_eq!(
            accept(&plane, "c", json!({ "status": "running" })).await.seq,
            1,
            "without the parent it is taken"
        );
    })
    .await;
}

#[tokio::test]
async fn a_line_of_parents_without_end_is_refused() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for number in 0..64 {
            accept(&plane, &format!("t{number}"), child_of(&format!("t{}", number + 1), "running")).await;
        }
        let refused = plane.tasks().report(&event("leaf", child_of("t0", "running"))).await.unwrap();
        assert_eq!(code(&refused), "too_deep");
    })
    .await;
}

#[tokio::test]
async fn a_parent_with_as_many_children_as_one_may_have_lists_no_more_and_loses_no_status() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        accept(&plane, "first", child_of("p", "running")).await;
        let children = bench.scope.keys.relayna().children(&task("p"));
        let mut add = quorate_store::cmd("SADD");
        add.arg(children.as_str());
        for number in 1..quorate_plane::tasks::MOST_CHILDREN {
            add.arg(format!("c{number}"));
        }
        bench.scope.store.query::<u64>(&add).await.unwrap();
        assert_eq!(accept(&plane, "late", child_of("p", "running")).await.kin, Kin::Full);
        assert_eq!(
            accept(&plane, "first", child_of("p", "again")).await.kin,
            Kin::Listed,
            "who is listed stays so"
        );
        assert_eq!(plane.tasks().show(&task("late")).await.unwrap().unwrap().events, Some(1));
        assert!(plane.tasks().children(&task("p"), 20_000).await.unwrap().truncated);
    })
    .await;
}
