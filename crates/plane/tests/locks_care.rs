//! What surrounds locks: settings, limits, upkeep, repair, and breaking what a vanished client left behind.

use std::time::Duration;

use crate::support::{agent, grant, lock, plane, refused, request, take};
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Request};
use quorate_plane::{Outcome, invariants, maintenance};
use quorate_testkit::check;

#[tokio::test]
async fn capacity_gates_task_locks_and_counts_only_what_is_held() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["b"]).await;
        let registration = Registration { max_tasks: Some(2), ..Registration::new(agent("a")) };
        plane.agents().register(&registration).await.unwrap().unwrap();
        let other = take(&plane, "b", "task:3").await;
        let first = take(&plane, "a", "task:1").await;
        assert_eq!(refused(plane.locks().acquire(&request("a", "task:3")).await.unwrap()).code, "held");
        let ns = bench.scope.keys.namespace_text();
        let active = format!("HGET {ns}ade:lock:agent:a:capacity active_tasks");
        let count = async || format!("{:?}", bench.cli(&active).await);
        assert!(count().await.contains("'1'") || count().await.contains("\"1\""), "{}", count().await);
        let second = take(&plane, "a", "task:2").await;
        plane.locks().release(&lock("task:3"), &agent("b"), other.fence).await.unwrap().unwrap();
        assert_eq!(refused(plane.locks().acquire(&request("a", "task:3")).await.unwrap()).code, "capacity");
        for (name, fence) in [("task:1", first.fence), ("task:2", second.fence)] {
            plane.locks().release(&lock(name), &agent("a"), fence).await.unwrap().unwrap();
        }
        take(&plane, "a", "name:free").await;
        assert!(count().await.contains('0'), "{}", count().await);
    })
    .await;
}

#[tokio::test]
async fn a_lock_that_lapsed_unseen_leaves_the_registry_and_the_indexes() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for name in ["task:t", "resource:db:main"] {
            let short = Request { ttl: Some(Duration::from_millis(100)), ..request("a", name) };
            grant(plane.locks().acquire(&short).await.unwrap());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let ns = bench.scope.keys.namespace_text();
        let left = async || {
            let counts = [
                "ZCARD ade:lock:registry",
                "SCARD ade:lock:index:agent:a",
                "SCARD ade:lock:index:resource:db",
            ];
            let mut all = Vec::new();
            for line in counts {
                let (command, key) = line.split_once(' ').unwrap();
                all.push(bench.cli(&format!("{command} {ns}{key}")).await);
            }
            format!("{all:?}")
        };
        assert_eq!(left().await, "[int(2), int(2), int(1)]");
        plane.locks().upkeep().await.unwrap();
        assert_eq!(left().await, "[int(0), int(0), int(0)]");
    })
    .await;
}

#[tokio::test]
async fn a_lock_that_lapsed_leaves_the_indexes_however_much_its_agent_takes_before_that_is_seen() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let short = Request { ttl: Some(Duration::from_millis(50)), ..request("a", "task:t") };
        grant(plane.locks().acquire(&short).await.unwrap());
        tokio::time::sleep(Duration::from_millis(60)).await;
        // An agent's list is cleared of what has lapsed with one call in 64.
        for number in 0..1_000 {
            take(&plane, "a", &format!("name:{number}")).await;
        }
        maintenance::tick(&plane).await.unwrap();
        let index = format!("SCARD {}ade:lock:index:agent:a", bench.scope.keys.namespace_text());
        assert_eq!(format!("{:?}", bench.cli(&index).await), "int(0)");
    })
    .await;
}

#[tokio::test]
async fn fsck_finds_indexes_that_a_foreign_client_deleted_and_writes_them_again() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let mut held = Vec::new();
        for name in ["task:t", "resource:db:main"] {
            held.push((name, take(&plane, "a", name).await.fence));
        }
        assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
        let ns = bench.scope.keys.namespace_text();
        bench.cli(&format!("DEL {ns}ade:lock:registry {ns}ade:lock:index:agent:a")).await;
        let found = bench.mess(&invariants()).await;
        assert_eq!(found.iter().filter(|line| line.starts_with("FSCK030")).count(), 2, "{found:#?}");
        let all = invariants();
        let report = quorate_audit::run(&bench.scope, &all, true, &|_, _| {}).await.unwrap();
        assert_eq!((report.repaired, report.findings.len()), (2, 0), "{:#?}", report.findings);
        assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
        for (name, fence) in held {
            plane.locks().release(&lock(name), &agent("a"), fence).await.unwrap().unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn fsck_writes_a_queue_again_and_takes_out_what_names_no_lock() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let held = take(&plane, "a", "task:t").await;
        let wanted = Request { wait: Duration::from_secs(60), detach: true, ..request("b", "task:t") };
        plane.locks().acquire(&wanted).await.unwrap().unwrap();
        assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
        let ns = bench.scope.keys.namespace_text();
        // A foreign client's own lock, with its own entries, is no finding.
        bench.cli(&format!("HSET {ns}ade:lock:task:f holder_agent_id x acquired_at 1 expires_at 2")).await;
        bench.cli(&format!("PEXPIRE {ns}ade:lock:task:f 60000")).await;
        bench.cli(&format!("SADD {ns}ade:lock:index:agent:x {ns}ade:lock:task:f")).await;
        assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
        bench.cli(&format!("DEL {ns}ade:lock:waitfor:b {ns}ade:lock:task:t:queue {ns}~q:ade:waits:b")).await;
        bench.cli(&format!("ZADD {ns}ade:lock:registry 1 {ns}ade:lock:task:ghost")).await;
        bench.cli(&format!("SADD {ns}ade:lock:index:agent:a {ns}ade:lock:task:ghost nonsense")).await;
        bench.cli(&format!("SADD {ns}ade:lock:waitfor:a {ns}ade:lock:task:ghost")).await;
        let found = bench.mess(&invariants()).await;
        let count = |code: &str| found.iter().filter(|line| line.starts_with(code)).count();
        assert_eq!((count("FSCK031"), count("FSCK032")), (3, 4), "{found:#?}");
        let report = quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
        assert_eq!(report.findings.len(), 0, "{:#?}", report.findings);
        assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
        plane.locks().release(&lock("task:t"), &agent("a"), held.fence).await.unwrap().unwrap();
        assert_eq!(plane.locks().show(&lock("task:t"), 0).await.unwrap().holders[0].agent, "b");
        plane.locks().cancel(&wanted.on, &wanted.request).await.unwrap();
        bench.cli(&format!("DEL {ns}ade:lock:task:f {ns}ade:lock:index:agent:x")).await;
    })
    .await;
}

/// Old clients release with a compare-and-delete on the seed's key.
#[tokio::test]
async fn a_lock_whose_key_a_foreign_client_deleted_is_released() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let ns = bench.scope.keys.namespace_text();
        let names = [
            ("task:t", "ade:lock:task:t"),
            ("resource:db:main", "ade:lock:resource:db:main"),
            ("name:x", "locks:x"),
            ("project:p:docs", "locks:project:p:docs"),
            ("file:src/main.rs", "locks:file:src%2Fmain.rs"),
        ];
        for (name, key) in names {
            let old = take(&plane, "a", name).await.fence;
            bench.cli(&format!("DEL {ns}{key}")).await;
            let renewed = plane.locks().renew(&lock(name), &agent("a"), None, old, None).await.unwrap();
            assert!(renewed.refusal().is_some(), "{name}: {renewed:?}");
            let write = ["SET".to_owned(), "target".to_owned(), "x".to_owned()];
            let guarded = plane.locks().guard(&lock(name), old, &write).await.unwrap();
            assert_eq!(guarded.refusal().map(|no| no.code.as_str()), Some("stale_fence"), "{name}");
            let new = take(&plane, "b", name).await.fence;
            assert!(new > old, "{name}");
            plane.locks().release(&lock(name), &agent("a"), old).await.unwrap();
            assert_eq!(plane.locks().show(&lock(name), 1).await.unwrap().holders[0].agent, "b", "{name}");
            plane.locks().release(&lock(name), &agent("b"), new).await.unwrap().unwrap();
        }
        // What a is said to hold no longer is.
        let all = invariants();
        let report = quorate_audit::run(&bench.scope, &all, true, &|_, _| {}).await.unwrap();
        assert!(report.findings.is_empty(), "{:#?}", report.findings);
    })
    .await;
}

/// Consul's lock delay: whoever lost the lock may still be at work, so nobody else gets it for a while.
#[tokio::test]
async fn a_hold_that_ends_without_a_release_starts_its_lock_delay() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for name in ["name:x", "task:t", "resource:db:main", "project:p:docs"] {
            let delayed = Request {
                ttl: Some(Duration::from_millis(50)),
                lock_delay: Duration::from_millis(1_500),
                ..request("a", name)
            };
            grant(plane.locks().acquire(&delayed).await.unwrap());
            tokio::time::sleep(Duration::from_millis(100)).await;
            assert_eq!(
                refused(plane.locks().acquire(&request("b", name)).await.unwrap()).code,
                "held",
                "{name}"
            );
            let began = std::time::Instant::now();
            let patient = Request { wait: Duration::from_secs(10), ..request("b", name) };
            let got = grant(plane.locks().acquire(&patient).await.unwrap());
            assert!(began.elapsed() >= Duration::from_millis(900), "{name}: {:?}", began.elapsed());
            plane.locks().release(&lock(name), &agent("b"), got.fence).await.unwrap().unwrap();
            // A release starts none.
            let released = Request { ttl: None, request: quorate_plane::random_id(), ..delayed };
            let own = grant(plane.locks().acquire(&released).await.unwrap());
            plane.locks().release(&lock(name), &agent("a"), own.fence).await.unwrap().unwrap();
            let next = take(&plane, "b", name).await;
            plane.locks().release(&lock(name), &agent("b"), next.fence).await.unwrap().unwrap();
        }
        // Nor does the next holder inherit one; and the end of a session is no release.
        let delayed = Request { lock_delay: Duration::from_secs(1), ..request("a", "name:x") };
        grant(plane.locks().acquire(&delayed).await.unwrap());
        plane.agents().deregister(&agent("a"), None).await.unwrap().unwrap();
        assert_eq!(refused(plane.locks().acquire(&request("b", "name:x")).await.unwrap()).code, "held");
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        take(&plane, "b", "name:x").await;
    })
    .await;
}

#[tokio::test]
async fn what_operators_set_for_locks_is_obeyed() {
    check(&invariants(), async |bench| {
        let ns = bench.scope.keys.namespace_text();
        for setting in ["lock:default_ttl 2", "lock:max_ttl 5", "lock:heartbeat_interval 1"] {
            bench.cli(&format!("SET {ns}ade:config:{setting}")).await;
        }
        let plane = plane(bench, &["a"]).await;
        let now = plane.store().time().await.unwrap();
        let usual = take(&plane, "a", "name:x").await;
        let long = Request { ttl: Some(Duration::from_secs(60)), ..request("a", "name:y") };
        let capped = grant(plane.locks().acquire(&long).await.unwrap());
        assert!(usual.expires_at.since(now) < Duration::from_secs(3), "default_ttl");
        assert!(capped.expires_at.since(now) < Duration::from_secs(6), "max_ttl");
        assert_eq!(
            plane.locks().renew_every(Some(Duration::from_secs(60))).await.unwrap(),
            Duration::from_secs(1)
        );
        for (name, fence) in [("name:x", usual.fence), ("name:y", capped.fence)] {
            plane.locks().release(&lock(name), &agent("a"), fence).await.unwrap().unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_foreign_lock_is_broken_only_by_the_rule_and_the_record_comes_first() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "stopped"]).await;
        let ns = bench.scope.keys.namespace_text();
        bench.cli(&format!("SET {ns}locks:old 9999")).await;
        let steal_as = async |plane: &quorate_plane::Plane, who: &str, epoch, owner: &str| {
            plane.locks().steal(&lock("name:old"), &agent(who), epoch, owner).await.unwrap()
        };
        let steal = async |plane: &_, owner: &str| steal_as(plane, "a", None, owner).await;
        assert_eq!(refused(plane.locks().acquire(&request("a", "name:old")).await.unwrap()).code, "held");
        assert_eq!(refused(steal(&plane, "9999").await).code, "not_stealable", "seen a moment ago");
        let mut later = bench.scope.clone();
        later.store = later.store.with_clock(quorate_store::Clock::Offset(11 * 60 * 1_000_000));
        let later = quorate_plane::Plane::new(later).unwrap();
        later.agents().register(&Registration::new(agent("a"))).await.unwrap().unwrap();
        assert_eq!(refused(steal(&later, "someone").await).code, "not_stealable", "another owner");
        plane.agents().revoke(&agent("stopped"), None, None).await.unwrap().unwrap();
        for (who, epoch, code) in
            [("stopped", None, "revoked"), ("nobody", None, "unregistered"), ("a", Some(5), "stale_epoch")]
        {
            assert_eq!(refused(steal_as(&later, who, epoch, "9999").await).code, code, "{who}");
        }
        steal(&later, "9999").await.unwrap();
        let audit = format!("{:?}", bench.cli(&format!("XRANGE {ns}events:all - +")).await);
        assert!(audit.contains("lock.stolen") && audit.contains("9999"), "{audit}");
        let taken = take(&plane, "a", "name:old").await;
        plane.locks().release(&lock("name:old"), &agent("a"), taken.fence).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_durable_grant_without_a_replica_is_given_back() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let durable = Request { durable: true, ..request("a", "name:x") };
        assert_eq!(refused(plane.locks().acquire(&durable).await.unwrap()).code, "not_durable");
        let free = take(&plane, "b", "name:x").await;
        plane.locks().release(&lock("name:x"), &agent("b"), free.fence).await.unwrap().unwrap();
    })
    .await;
}

/// A script walks a bounded number of waits; what is longer is walked from outside and looked at again before it is broken.
#[tokio::test]
async fn a_ring_longer_than_a_script_walks_is_found_and_broken_too() {
    check(&invariants(), async |bench| a_ring_of(bench, 120).await).await;
}

/// Nor does one script look at all of it again.
#[tokio::test]
async fn a_ring_longer_than_a_script_looks_at_is_broken_too() {
    check(&invariants(), async |bench| a_ring_of(bench, 1_100).await).await;
}

async fn a_ring_of(bench: &quorate_testkit::Bench, long: usize) {
    let names: Vec<String> = (0..long).map(|n| format!("a{n}")).collect();
    let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let minute = Duration::from_secs(60);
    let mut held = Vec::new();
    for name in &names {
        let wanted = Request { ttl: Some(minute), ..request(name, &format!("name:{name}")) };
        held.push(grant(plane.locks().acquire(&wanted).await.unwrap()).fence);
    }
    let wants = |n: usize| request(&names[n], &format!("name:{}", names[(n + 1) % long]));
    for n in 0..long - 1 {
        let wanted = Request { wait: minute, detach: true, ..wants(n) };
        plane.locks().acquire(&wanted).await.unwrap().unwrap();
    }
    let closing = Request { wait: minute, ..wants(long - 1) };
    let started = std::time::Instant::now();
    let Outcome::Done(Acquire::Deadlock { cycle }) = plane.locks().acquire(&closing).await.unwrap() else {
        panic!("the ring was not broken");
    };
    assert_eq!(cycle.len(), long);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    if long < 200 {
        assert!(plane.locks().deadlocks(false).await.unwrap().is_empty());
    }
    let last = names.last().unwrap();
    let release = plane.locks().release(&lock(&format!("name:{last}")), &agent(last), held[long - 1]).await;
    release.unwrap().unwrap();
}

#[tokio::test]
async fn what_a_revoked_agent_held_is_no_longer_listed() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for (name, on) in [("a", "task:t"), ("a", "name:n"), ("b", "task:u")] {
            take(&plane, name, on).await;
        }
        plane.agents().revoke(&agent("a"), None, None).await.unwrap().unwrap();
        let listed = plane.locks().held(10).await.unwrap();
        assert_eq!(listed, [("b".to_owned(), "task:u x".to_owned())], "before maintenance has passed by");
        assert_eq!(plane.locks().held_by(&agent("a")).await.unwrap(), Vec::<String>::new());
        maintenance::tick(&plane).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn who_gives_up_one_of_two_waits_for_a_lock_is_still_shown_to_wait() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for on in ["task:t", "resource:db:main"] {
            take(&plane, "a", on).await;
            let wait = Duration::from_secs(60);
            let two = [1, 2].map(|_| Request { wait, detach: true, ..request("b", on) });
            for wanted in &two {
                plane.locks().acquire(wanted).await.unwrap().unwrap();
            }
            plane.locks().cancel(&lock(on), &two[0].request).await.unwrap();
        }
        let waits = format!("SCARD {}ade:lock:waitfor:b", bench.scope.keys.namespace_text());
        assert_eq!(format!("{:?}", bench.cli(&waits).await), "int(2)");
    })
    .await;
}

#[tokio::test]
async fn who_gave_up_or_died_is_not_said_to_wait() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "late", "dead", "patient"]).await;
        take(&plane, "a", "name:n").await;
        for (name, wait) in [("late", 100), ("dead", 60_000), ("patient", 60_000)] {
            let wait = Duration::from_millis(wait);
            let asked = Request { wait, detach: true, ..request(name, "name:n") };
            assert!(matches!(
                plane.locks().acquire(&asked).await.unwrap(),
                Outcome::Done(Acquire::Queued { .. })
            ));
        }
        let names = async || {
            let shown = plane.locks().show(&lock("name:n"), 10).await.unwrap();
            let waiters: Vec<String> = shown.waiters.into_iter().map(|waiter| waiter.agent).collect();
            (shown.waiting, waiters)
        };
        assert_eq!(names().await, (3, vec!["late".into(), "dead".into(), "patient".into()]));
        // The holder's lease, and that of a waiter, end without a word to anybody.
        for name in ["a", "dead"] {
            let record = plane.keys().quorate().agent(&agent(name));
            bench.cli(&format!("HSET {} lease_until 1", record.as_str())).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(names().await, (1, vec!["patient".to_owned()]), "before anybody has passed by");
        let waits = plane.locks().waits(10).await.unwrap();
        assert_eq!(waits.iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>(), ["patient"]);
        assert_eq!(plane.locks().terms(None, 10).await.unwrap(), [], "who is past its lease holds nothing");
    })
    .await;
}
