//! How an agent is doing is computed from the server's time when it is asked; nothing has to be told.

use std::collections::HashMap;

use quorate_plane::agents::{Label, Query};
use quorate_plane::{Plane, invariants};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Micros, cmd};
use quorate_testkit::check;

use super::support::{code, dump, exists, hash, id, later, plane, register, score, ttl};

async fn label(plane: &Plane) -> (Label, Label) {
    let shown = plane.agents().show(&id("a")).await.unwrap().unwrap().label;
    let page = plane.agents().ls(&Query { limit: 9, ..Query::default() }).await.unwrap();
    (shown, page.agents[0].label)
}

#[tokio::test]
async fn labels_change_at_60_300_and_600_seconds() {
    check(&invariants(), async |bench| {
        // The clock stands still, so that a slow machine does not move the moments.
        let start = bench.scope.store.time().await.unwrap();
        let at = |seconds: f64| {
            let instant = start.plus(std::time::Duration::from_secs_f64(seconds));
            let store = bench.scope.store.with_clock(Clock::Fixed(instant));
            Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap()
        };
        register(&at(0.0), "a").await;
        let events: HashMap<String, String> =
            bench.scope.store.query(cmd("CONFIG").arg("GET").arg("notify-keyspace-events")).await.unwrap();
        assert_eq!(events["notify-keyspace-events"], "", "no keyspace events are sent");
        let steps = [
            (0.0, Label::Online),
            (60.0, Label::Online),
            (60.1, Label::Away),
            (299.9, Label::Away),
            (300.0, Label::Stale),
            (599.9, Label::Stale),
            (600.0, Label::Dead),
        ];
        for (after, expected) in steps {
            assert_eq!(label(&at(after)).await, (expected, expected), "after {after} s");
        }
        let dead = at(600.0);
        assert_eq!(code(dead.agents().heartbeat(&id("a"), None).await.unwrap()), "unregistered");
        let live = Query { live: true, limit: 9, ..Query::default() };
        assert_eq!(at(299.9).agents().ls(&live).await.unwrap().agents.len(), 1);
        assert!(at(300.0).agents().ls(&live).await.unwrap().agents.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_heartbeat_renews_everything_that_hangs_on_it() {
    check(&invariants(), async |bench| {
        let (plane, keys, agent) = (plane(bench), &bench.scope.keys, id("a"));
        register(&plane, "a").await;
        bench.cli(&format!("PEXPIRE {} 1000", keys.reverie().session(&agent))).await;
        bench.cli(&format!("PEXPIRE {} 1000", keys.skynet().presence(&agent))).await;
        bench.cli(&format!("LPUSH {} hello again", keys.reverie().inbox(&agent))).await;
        let later = later(bench, 200.0);
        let beat = later.agents().heartbeat(&agent, None).await.unwrap().unwrap();
        assert_eq!((beat.messages, beat.drain), (2, None));
        assert!(ttl(bench, keys.reverie().session(&agent)).await.as_secs() > 590);
        assert!(ttl(bench, keys.skynet().presence(&agent)).await.as_secs() > 55);
        assert_eq!(label(&super::support::later(bench, 259.0)).await.0, Label::Online);
        let leases = keys.quorate().agent_leases();
        assert_eq!(score(bench, leases, "a").await, Some(beat.lease_until.millis() as f64));
        // Back to now, so that nothing stays in the future.
        plane.agents().heartbeat(&agent, None).await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_poke_is_noted_and_does_not_make_alive() {
    check(&invariants(), async |bench| {
        let (plane, keys, agent) = (plane(bench), &bench.scope.keys, id("a"));
        register(&plane, "a").await;
        let session = keys.reverie().session(&agent);
        bench.cli(&format!("PEXPIRE {session} 500000")).await;
        bench.cli(&format!("DEL {}", keys.skynet().presence(&agent))).await;
        let (before, fields) = (dump(bench).await, hash(bench, &session).await);
        let poker = later(bench, 290.0);
        poker.agents().poke(&agent).await.unwrap().unwrap();
        let mut poked = hash(bench, &session).await;
        let at: f64 = poked.remove("last_poked_at").unwrap().parse().unwrap();
        assert!(at > 1.7e9);
        assert_eq!(poked, fields, "nothing else of the session moved");
        assert!(ttl(bench, &session).await.as_millis() <= 500_000);
        let mut after = dump(bench).await;
        after.insert(session.as_str().into(), before[session.as_str().as_bytes()].clone());
        assert_eq!(after, before, "no other key moved: index, leases, presence");
        assert_eq!(label(&later(bench, 300.0)).await.0, Label::Stale);
        assert_eq!(code(plane.agents().poke(&id("nobody")).await.unwrap()), "unregistered");
        assert!(!exists(bench, keys.reverie().session(&id("nobody"))).await);
    })
    .await;
}

/// Leases hang on the server's clock; what a client believes of the time is not asked for anywhere.
#[tokio::test]
async fn a_lease_begins_at_the_servers_time() {
    check(&invariants(), async |bench| {
        let server = bench.scope.store.time().await.unwrap();
        let lease = register(&plane(bench), "a").await.lease_until;
        let off = lease.since(Micros::new(server.get())).as_millis();
        assert!((59_999..61_000).contains(&off), "{off}");
    })
    .await;
}
