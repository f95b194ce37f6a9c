//! What is shown of a lock and its line, to ade's readers and to people; `fsck` puts it right whoever wrote there.

use std::time::Duration;

use crate::support::{agent, detached, grant, later, lock, plane, request, take};
use quorate_plane::locks::{Acquire, Mode, Request, Resource};
use quorate_plane::{Outcome, invariants, maintenance};
use quorate_store::Value;
use quorate_testkit::check;

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn fsck_finds_a_line_that_is_shown_wrong_and_a_place_that_nobody_would_serve() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for on in ["task:t", "name:n"] {
            take(&plane, "a", on).await;
            detached(&plane, &request("b", on)).await;
        }
        let ns = bench.scope.keys.namespace_text();
        for broken in [format!("HSET {ns}ade:lock:task:t queue_length 9"), format!("DEL {ns}~q:ade:due")] {
            assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
            bench.cli(&broken).await;
            let found = bench.mess(&invariants()).await;
            assert_eq!(found.len(), 1, "{broken}: {found:#?}");
            let report = quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
            assert_eq!((report.repaired, report.findings.len()), (1, 0), "{broken}");
        }
        let shown = bench.cli(&format!("HGET {ns}ade:lock:task:t queue_length")).await;
        assert_eq!(format!("{shown:?}"), "bulk-string('\"1\"')");
    })
    .await;
}

/// What decides is the record and the requests; all else is written again from them, and nobody loses a lock or a place.
#[tokio::test]
async fn fsck_puts_right_what_others_wrote_about_a_lock() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c", "d"]).await;
        let (task, shared) = (lock("task:t"), lock("resource:db:main"));
        let held = take(&plane, "a", "task:t").await;
        for who in ["a", "b"] {
            let read = Request { mode: Mode::Shared, ..request(who, "resource:db:main") };
            grant(plane.locks().acquire(&read).await.unwrap());
        }
        for (who, priority) in [("c", 0), ("d", 7)] {
            detached(&plane, &Request { priority, ..request(who, "task:t") }).await;
            detached(&plane, &Request { priority, ..request(who, "resource:db:main") }).await;
        }
        let ns = bench.scope.keys.namespace_text();
        let line = async |on: &Resource| {
            let shown = plane.locks().show(on, 9).await.unwrap();
            shown.waiters.iter().map(|waiter| waiter.agent.clone()).collect::<Vec<_>>()
        };
        for (broken, faults) in [
            (format!("HSET {ns}ade:lock:task:t holder_agent_id evil"), 1),
            (format!("HSET {ns}ade:lock:task:t fence_token 5"), 1),
            (format!("HSET {ns}ade:lock:resource:db:main holders []"), 1),
            (format!("HSET {ns}ade:lock:resource:db:main exclusive_holder evil"), 1),
            (format!("HSET {ns}ade:lock:resource:db:main fence_token 5"), 1),
            (format!("ZADD {ns}ade:lock:registry 1 {ns}ade:lock:task:t"), 1),
            (format!("SADD {ns}ade:lock:index:agent:b {ns}ade:lock:task:t"), 1),
            (format!("DEL {ns}~q:ade:due"), 1),
            (format!("DEL {ns}~q:ade:order:task:t"), 3),
            (format!("DEL {ns}~q:ade:order:resource:db:main"), 3),
            (format!("ZADD {ns}ade:lock:task:t:queue 1 {{\"agent_id\":\"c\",\"request\":\"gone\"}}"), 1),
        ] {
            assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new(), "before {broken}");
            bench.cli(&broken).await;
            let found = bench.mess(&invariants()).await;
            assert_eq!(found.len(), faults, "{broken}: {found:#?}");
            let report = quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
            assert_eq!(report.findings.len(), 0, "{broken}");
            assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new(), "after {broken}");
            assert_eq!(
                (line(&task).await, line(&shared).await),
                (vec!["d".into(), "c".into()], vec!["d".to_owned(), "c".to_owned()]),
                "{broken}"
            );
        }
        // A foreign client's own place is its own affair.
        bench.cli(&format!("ZADD {ns}ade:lock:task:t:queue 1 {{\"agent_id\":\"x\"}}")).await;
        assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
        plane.locks().renew(&task, &agent("a"), None, held.fence, None).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_ring_names_locks_as_they_can_be_typed() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        take(&plane, "a", "file:src/it's 100%.rs").await;
        take(&plane, "b", "project:p:ui").await;
        detached(&plane, &request("a", "project:p:ui")).await;
        let waits = plane.locks().waits(9).await.unwrap();
        assert_eq!(waits, [("a".to_owned(), "project:p:ui".to_owned(), vec!["b".to_owned()])]);
        let asked = Request { wait: LONG, ..request("b", "file:src/it's 100%.rs") };
        let Outcome::Done(Acquire::Deadlock { mut cycle }) = plane.locks().acquire(&asked).await.unwrap()
        else {
            panic!("a ring")
        };
        cycle.sort();
        assert_eq!(cycle, ["a waits for project:p:ui", "b waits for file:src/it's 100%.rs"]);
    })
    .await;
}

/// Nobody looks after a place that was only left, so what became of it does not wait for that for ever.
#[tokio::test]
async fn what_nobody_asks_for_is_forgotten_after_a_minute() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for (who, on) in [("a", "name:x"), ("b", "task:t")] {
            grant(
                plane.locks().acquire(&Request { ttl: Some(10 * LONG), ..request(who, on) }).await.unwrap(),
            );
        }
        detached(&plane, &request("a", "task:t")).await;
        detached(&plane, &Request { priority: 1, ..request("b", "name:x") }).await;
        let ns = bench.scope.keys.namespace_text();
        let kept = async || bench.cli(&format!("EXISTS {ns}~q:ade:waiters:task:t")).await;
        assert_eq!(
            (plane.locks().waits(9).await.unwrap().len(), kept().await),
            (1, Value::Int(1)),
            "a gave way"
        );
        maintenance::tick(&later(bench, 59)).await.unwrap();
        assert_eq!(kept().await, Value::Int(1));
        maintenance::tick(&later(bench, 62)).await.unwrap();
        assert_eq!(kept().await, Value::Int(0));
    })
    .await;
}
