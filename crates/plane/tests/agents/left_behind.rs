//! What the reaper and fsck do about what agents leave behind.

use std::cell::RefCell;
use std::time::Duration;

use quorate_plane::agents::Registration;
use quorate_plane::{Plane, invariants};
use quorate_store::cmd;
use quorate_testkit::{Bench, check};

use super::support::{another, exists, hash, id, later, plane, register, score, word};

fn named(agent: &str) -> Registration {
    Registration {
        role: Some(word("reviewer")),
        capabilities: vec![word("rust")],
        max_tasks: Some(1),
        ..Registration::new(id(agent))
    }
}

async fn reap(plane: &Plane) -> (usize, usize) {
    let reaped = plane.agents().reap(async |_| Ok(true)).await.unwrap();
    (reaped.retired, reaped.pruned)
}

#[tokio::test]
async fn an_ended_lease_is_passed_on_once_and_a_running_one_is_not() {
    check(&invariants(), async |bench| {
        let (now, leases) = (plane(bench), bench.scope.keys.quorate().agent_leases());
        now.agents().register(&named("a")).await.unwrap().unwrap();
        let long = Registration { lease: Duration::from_secs(120), ..named("b") };
        now.agents().register(&long).await.unwrap().unwrap();
        assert_eq!(reap(&now).await, (0, 0));
        let after = later(bench, 61.0);
        let asked = RefCell::new(Vec::new());
        let agents = after.agents();
        let not_yet = agents.reap(async |agent| {
            asked.borrow_mut().push(agent.to_string());
            Ok(false)
        });
        assert_eq!(not_yet.await.unwrap().retired, 0);
        assert_eq!(*asked.borrow(), ["a"]);
        assert!(score(bench, &leases, "a").await.is_some(), "it is asked about again");
        assert_eq!(reap(&after).await, (1, 0));
        assert_eq!(
            (score(bench, &leases, "a").await, score(bench, &leases, "b").await.is_some()),
            (None, true)
        );
        assert_eq!(hash(bench, bench.scope.keys.ade().agent_capacity(&id("a"))).await["status"], "offline");
        assert_eq!(reap(&after).await, (0, 0));
        after.agents().heartbeat(&id("a"), None).await.unwrap().unwrap();
        assert!(score(bench, &leases, "a").await.is_some(), "alive again, and counted again");
        assert_eq!(hash(bench, bench.scope.keys.ade().agent_capacity(&id("a"))).await["status"], "active");
    })
    .await;
}

/// The reaper found the agent, and then the agent was heard from: the script looks again.
#[tokio::test]
async fn an_agent_that_beats_while_it_is_reaped_stays() {
    check(&invariants(), async |bench| {
        register(&plane(bench), "a").await;
        let after = later(bench, 61.0);
        let agents = after.agents();
        let reaped = agents.reap(async |agent| {
            after.agents().heartbeat(agent, None).await?.unwrap();
            Ok(true)
        });
        assert_eq!(reaped.await.unwrap().retired, 0);
        let ends = hash(bench, bench.scope.keys.quorate().agent(&id("a"))).await["lease_until"].clone();
        let leases = bench.scope.keys.quorate().agent_leases();
        assert_eq!(score(bench, &leases, "a").await.unwrap().to_string(), ends);
    })
    .await;
}

#[tokio::test]
async fn one_fault_holds_up_nobody_else() {
    check(&invariants(), async |bench| {
        let past = later(bench, -61.0);
        for n in 0..250 {
            register(&past, &format!("a{n:03}")).await;
        }
        bench.cli(&format!("ZADD {} 1 'no name:of ours'", bench.scope.keys.quorate().agent_leases())).await;
        let now = plane(bench);
        let agents = now.agents();
        let reaped = agents.reap(async |agent| match agent.as_key() {
            "a007" => Err(quorate_store::Error::new(quorate_store::ErrorKind::Protocol, "test", "broken")),
            _ => Ok(true),
        });
        assert!(reaped.await.is_err(), "the fault is told");
        let left: Vec<String> = bench
            .scope
            .store
            .query(cmd("ZRANGE").arg(bench.scope.keys.quorate().agent_leases().as_str()).arg(0).arg(-1))
            .await
            .unwrap();
        assert_eq!(left, ["a007"]);
    })
    .await;
}

#[tokio::test]
async fn a_session_gone_for_an_hour_leaves_the_indexes() {
    check(&invariants(), async |bench| {
        let (now, keys) = (plane(bench), &bench.scope.keys);
        for agent in ["a", "b"] {
            later(bench, -4_205.0).agents().register(&named(agent)).await.unwrap().unwrap();
        }
        bench.cli(&format!("DEL {}", keys.reverie().session(&id("a")))).await;
        let index = keys.reverie().session_index();
        assert_eq!(reap(&later(bench, -15.0)).await, (2, 0), "not before the hour is over");
        let other = another(bench).await;
        let (one, two) = tokio::join!(reap(&now), reap(&other));
        assert_eq!(one.1 + two.1, 1, "two processes do it once");
        assert_eq!(score(bench, &index, "a").await, None);
        assert_eq!(
            score(bench, &index, "b").await.is_some(),
            exists(bench, keys.reverie().session(&id("b"))).await
        );
        for set in [
            keys.quorate().agents_by_role(&word("reviewer")),
            keys.quorate().agents_by_capability(&word("rust")),
        ] {
            let names: Vec<String> =
                bench.scope.store.query(cmd("ZRANGE").arg(set.as_str()).arg(0).arg(-1)).await.unwrap();
            assert_eq!(names, ["b"]);
        }
        assert!(!exists(bench, keys.ade().agent_capacity(&id("a"))).await);
        register(&now, "a").await;
    })
    .await;
}

async fn codes(bench: &Bench, repair: bool) -> Vec<&'static str> {
    let report = quorate_audit::run(&bench.scope, &invariants(), repair, &|_, _| {}).await.unwrap();
    report.findings.iter().map(|finding| finding.code).collect()
}

#[tokio::test]
async fn fsck_finds_and_repairs_every_index() {
    check(&invariants(), async |bench| {
        let (plane, keys) = (plane(bench), &bench.scope.keys);
        for agent in ["a", "b"] {
            // Longer than the test can take on a slow machine: a lease that has ended is no finding.
            let wanted = Registration { lease: Duration::from_secs(3_600), ..named(agent) };
            plane.agents().register(&wanted).await.unwrap().unwrap();
        }
        let role = keys.quorate().agents_by_role(&word("reviewer"));
        let breaks = [
            (format!("ZREM {} a", keys.reverie().session_index()), "FSCK020"),
            (format!("ZADD {} 5 a", keys.reverie().session_index()), "FSCK020"),
            (format!("ZREM {role} a"), "FSCK021"),
            (format!("ZADD {role} 0 stranger"), "FSCK021"),
            (format!("ZADD {role} 0 'no name:of ours'"), "FSCK021"),
            (format!("ZADD {} 0 b", keys.quorate().agents_by_role(&word("other"))), "FSCK021"),
            (format!("HSET {} role other", keys.reverie().session(&id("a"))), "FSCK021"),
            (format!("HSET {} words ''", keys.quorate().agent(&id("a"))), "FSCK021"),
            (format!("ZREM {} a", keys.quorate().agent_leases()), "FSCK022"),
        ];
        for (line, code) in breaks {
            assert_eq!(codes(bench, false).await, Vec::<&str>::new(), "before {line}");
            bench.cli(&line).await;
            assert!(codes(bench, false).await.iter().all(|found| *found == code), "{line}");
            assert!(!codes(bench, false).await.is_empty(), "{line}");
            assert_eq!(codes(bench, true).await, Vec::<&str>::new(), "{line}");
        }
        plane.agents().deregister(&id("a"), None).await.unwrap().unwrap();
    })
    .await;
}
