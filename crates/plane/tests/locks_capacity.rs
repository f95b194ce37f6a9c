//! How much an agent takes on: what it has locked and what it has claimed are held to one number.

use std::time::Duration;

use crate::support::queues::{ack, claim, push, wanted};
use crate::support::{agent, grant, lock, plane, refused, request, take};
use quorate_plane::agents::Registration;
use quorate_plane::locks::Request;
use quorate_plane::{Plane, invariants, maintenance};
use quorate_testkit::{Bench, check};

async fn capped(bench: &Bench, most: u32) -> Plane {
    let plane = plane(bench, &["b"]).await;
    let registration = Registration { max_tasks: Some(most), ..Registration::new(agent("a")) };
    plane.agents().register(&registration).await.unwrap().unwrap();
    plane
}

/// What ade's readers see, and what ours do.
async fn active(bench: &Bench, plane: &Plane) -> u64 {
    let ns = bench.scope.keys.namespace_text();
    let said = format!("{:?}", bench.cli(&format!("HGET {ns}ade:lock:agent:a:capacity active_tasks")).await);
    let seen = said.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap();
    let shown = plane.agents().show(&agent("a")).await.unwrap().unwrap().capacity.unwrap();
    assert_eq!(shown.active_tasks, seen);
    seen
}

#[tokio::test]
async fn locks_and_claims_of_an_agent_are_held_to_its_capacity_together() {
    check(&invariants(), async |bench| {
        let plane = capped(bench, 2).await;
        for payload in ["one", "two", "three"] {
            push(&plane, "normal", payload).await;
        }
        let held = take(&plane, "a", "task:t").await;
        let first = claim(&plane, "a", &["normal"], 9).await;
        assert_eq!((first.len(), active(bench, &plane).await), (1, 2), "one place was left");
        let full = plane.queues().claim(&wanted("a", &["normal"], 1)).await.unwrap();
        assert_eq!(refused(full).code, "capacity");
        assert_eq!(refused(plane.locks().acquire(&request("a", "task:u")).await.unwrap()).code, "capacity");
        take(&plane, "a", "name:n").await;
        assert!(ack(&plane, "a", &first[0]).await);
        assert_eq!(active(bench, &plane).await, 1);
        let other = take(&plane, "a", "task:u").await;
        for (on, fence) in [("task:t", held.fence), ("task:u", other.fence)] {
            plane.locks().release(&lock(on), &agent("a"), fence).await.unwrap().unwrap();
        }
        let two = claim(&plane, "a", &["normal"], 9).await;
        assert_eq!((two.len(), active(bench, &plane).await), (2, 2));
        assert_eq!(refused(plane.locks().acquire(&request("a", "task:t")).await.unwrap()).code, "capacity");
        for item in &two {
            assert!(ack(&plane, "a", item).await);
        }
        assert_eq!(active(bench, &plane).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_claimed_item_and_the_lock_of_the_task_it_names_are_one_task() {
    check(&invariants(), async |bench| {
        let plane = capped(bench, 1).await;
        for payload in ["42", r#"{"task_id":"42","then":"43"}"#] {
            push(&plane, "normal", payload).await;
            let item = claim(&plane, "a", &["normal"], 9).await.remove(0);
            assert_eq!(
                refused(plane.locks().acquire(&request("a", "task:4")).await.unwrap()).code,
                "capacity"
            );
            let held = take(&plane, "a", "task:42").await;
            assert_eq!(active(bench, &plane).await, 1, "{payload}");
            let more = plane.locks().acquire(&request("a", "task:43")).await.unwrap();
            assert_eq!(refused(more).code, "capacity", "an item is one task");
            plane.locks().release(&lock("task:42"), &agent("a"), held.fence).await.unwrap().unwrap();
            assert!(ack(&plane, "a", &item).await);
        }
    })
    .await;
}

#[tokio::test]
async fn who_waits_for_a_task_gets_it_when_its_own_claim_has_ended() {
    check(&invariants(), async |bench| {
        let plane = capped(bench, 1).await;
        push(&plane, "normal", "x").await;
        let held = take(&plane, "b", "task:t").await;
        let wish = Request { wait: Duration::from_secs(30), ..request("a", "task:t") };
        let waiting = {
            let plane = plane.clone();
            tokio::spawn(async move { plane.locks().acquire(&wish).await.unwrap() })
        };
        tokio::time::sleep(Duration::from_millis(200)).await;
        let item = claim(&plane, "a", &["normal"], 1).await.remove(0);
        plane.locks().release(&lock("task:t"), &agent("b"), held.fence).await.unwrap().unwrap();
        tokio::time::sleep(Duration::from_millis(900)).await;
        assert!(!waiting.is_finished(), "it has as much as it can take");
        assert!(ack(&plane, "a", &item).await);
        let got =
            tokio::time::timeout(Duration::from_secs(2), waiting).await.expect("within a second").unwrap();
        grant(got);
    })
    .await;
}

#[tokio::test]
async fn a_new_incarnation_begins_with_nothing_and_what_the_old_one_had_is_free_at_once() {
    check(&invariants(), async |bench| {
        let plane = capped(bench, 3).await;
        push(&plane, "normal", "x").await;
        let item = claim(&plane, "a", &["normal"], 1).await.remove(0);
        for on in ["task:t", "name:n", "resource:db:main"] {
            take(&plane, "a", on).await;
        }
        let told = plane.agents().register(&Registration::new(agent("a"))).await.unwrap().unwrap();
        assert_eq!(active(bench, &plane).await, 0);
        assert_eq!(plane.locks().held(9).await.unwrap(), []);
        let ns = bench.scope.keys.namespace_text();
        let shown =
            bench.cli(&format!("EXISTS {ns}ade:lock:task:t {ns}locks:n {ns}ade:lock:resource:db:main")).await;
        assert_eq!(format!("{shown:?}"), "int(0)", "nobody is shown a holder that is gone");
        let next = claim(&plane, "b", &["normal"], 1).await.remove(0);
        assert_eq!(
            (next.text(), next.attempt),
            ("x".into(), 2),
            "it need not wait out a lease that nobody can use"
        );
        assert!(!ack(&plane, "a", &item).await, "the old token is worth nothing");
        // The same incarnation again keeps what it has.
        let own = take(&plane, "a", "task:t").await;
        let again = Registration { epoch: Some(told.epoch), ..Registration::new(agent("a")) };
        plane.agents().register(&again).await.unwrap().unwrap();
        plane.locks().renew(&lock("task:t"), &agent("a"), None, own.fence, None).await.unwrap().unwrap();
        assert_eq!(active(bench, &plane).await, 1);
        assert!(ack(&plane, "b", &next).await);
        maintenance::tick(&plane).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_an_agent_has_is_not_given_back_because_more_was_asked_of_it() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let own = take(&plane, "a", "name:n").await;
        let durable = Request { durable: true, ..request("a", "name:n") };
        assert_eq!(refused(plane.locks().acquire(&durable).await.unwrap()).code, "not_durable");
        plane.locks().renew(&lock("name:n"), &agent("a"), None, own.fence, None).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn fsck_counts_what_a_capacity_says_again() {
    check(&invariants(), async |bench| {
        let plane = capped(bench, 3).await;
        push(&plane, "normal", "one").await;
        take(&plane, "a", "task:t").await;
        claim(&plane, "a", &["normal"], 1).await;
        take(&plane, "b", "task:u").await;
        let asked = Request { detach: true, wait: Duration::from_secs(60), ..request("a", "task:u") };
        plane.locks().acquire(&asked).await.unwrap().unwrap();
        let ns = bench.scope.keys.namespace_text();
        // Another client's agent is its own affair.
        bench
            .cli(&format!("HSET {ns}ade:lock:agent:z:capacity max_tasks 1 active_tasks 7 status active"))
            .await;
        let capacity = format!("{ns}ade:lock:agent:a:capacity");
        for (broken, faults) in [
            (format!("HSET {capacity} active_tasks 0"), 1),
            (format!("HSET {capacity} active_tasks 9 queued_tasks 4"), 2),
            (format!("HSET {capacity} active_tasks many max_tasks 50"), 2),
            (format!("HDEL {capacity} queued_tasks"), 1),
            (format!("DEL {capacity}"), 3),
        ] {
            assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new(), "before {broken}");
            bench.cli(&broken).await;
            let found = bench.mess(&invariants()).await;
            assert_eq!(found.len(), faults, "{broken}: {found:#?}");
            let report = quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
            assert_eq!((report.repaired, report.findings.len()), (faults as u64, 0), "{broken}");
            assert_eq!(active(bench, &plane).await, 2, "{broken}");
            let shown = plane.agents().show(&agent("a")).await.unwrap().unwrap().capacity.unwrap();
            assert_eq!((shown.max_tasks, shown.queued_tasks), (Some(3), 1), "{broken}");
        }
    })
    .await;
}
