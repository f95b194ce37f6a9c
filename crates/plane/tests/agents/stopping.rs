//! Draining, revoking, banning, and what each of them lets through.

use quorate_plane::agents::{Patch, Registration};
use quorate_plane::locks::{Acquire, Request};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::check;

use super::support::{code, exists, hash, id, plane, register, score, ttl};

async fn every_write(plane: &Plane, epoch: Option<u64>) -> Vec<String> {
    let patch = Patch { task: Some("late".into()), ..Patch::default() };
    let mut codes = vec![
        code(plane.agents().heartbeat(&id("a"), epoch).await.unwrap()),
        code(plane.agents().update(&id("a"), epoch, &patch).await.unwrap()),
        code(plane.agents().deregister(&id("a"), epoch).await.unwrap()),
    ];
    codes.dedup();
    codes
}

#[tokio::test]
async fn a_revoked_agent_is_refused_whatever_epoch_it_names() {
    check(&invariants(), async |bench| {
        let (plane, keys) = (plane(bench), &bench.scope.keys);
        let old = register(&plane, "a").await.epoch;
        let wanted = Registration { max_tasks: Some(2), ..Registration::new(id("a")) };
        let current = plane.agents().register(&wanted).await.unwrap().unwrap().epoch;
        assert_eq!(code(plane.agents().revoke(&id("a"), Some(old), None).await.unwrap()), "stale_epoch");
        assert_eq!(plane.agents().revoke(&id("a"), None, None).await.unwrap().unwrap(), current);
        for epoch in [Some(old), Some(current), None] {
            assert_eq!(every_write(&plane, epoch).await, ["revoked"], "{epoch:?}");
        }
        let again = Registration { epoch: Some(current), ..Registration::new(id("a")) };
        assert_eq!(code(plane.agents().register(&again).await.unwrap()), "revoked");
        assert_eq!(code(plane.agents().drain(&id("a"), None, "").await.unwrap()), "revoked");
        assert!(!exists(bench, keys.skynet().presence(&id("a"))).await);
        assert_eq!(hash(bench, keys.ade().agent_capacity(&id("a"))).await["status"], "offline");
        let now = bench.scope.store.time().await.unwrap().millis() as f64;
        assert!(
            score(bench, keys.quorate().agent_leases(), "a").await.unwrap() <= now,
            "what it held passes on"
        );
        let shown = plane.agents().show(&id("a")).await.unwrap().unwrap();
        assert!(shown.revoked && shown.banned.is_none());
        // The session is gone one day; the agent still hears that it was stopped.
        bench.cli(&format!("DEL {}", keys.reverie().session(&id("a")))).await;
        let dead = super::support::later(bench, 700.0);
        assert_eq!(every_write(&dead, Some(current)).await, ["revoked"]);
        let next = register(&plane, "a").await.epoch;
        assert!(next > current);
        assert_eq!(every_write(&plane, Some(current)).await, ["revoked"]);
        plane.agents().heartbeat(&id("a"), Some(next)).await.unwrap().unwrap();
        assert_eq!(hash(bench, keys.ade().agent_capacity(&id("a"))).await["status"], "active");
    })
    .await;
}

#[tokio::test]
async fn a_ban_keeps_every_incarnation_out_until_it_is_lifted() {
    check(&invariants(), async |bench| {
        let (plane, record) = (plane(bench), bench.scope.keys.quorate().agent(&id("a")));
        assert_eq!(code(plane.agents().revoke(&id("a"), None, Some("why")).await.unwrap()), "unregistered");
        assert_eq!(code(plane.agents().lift_ban(&id("a")).await.unwrap()), "unregistered");
        let first = register(&plane, "a").await.epoch;
        plane.agents().revoke(&id("a"), None, Some("leaks secrets")).await.unwrap().unwrap();
        let refused = plane.agents().register(&Registration::new(id("a"))).await.unwrap();
        let refusal = refused.refusal().unwrap();
        assert_eq!((refusal.code.as_str(), refusal.detail.as_deref()), ("banned", Some("leaks secrets")));
        let persists: i64 =
            bench.scope.store.query(quorate_store::cmd("PTTL").arg(record.as_str())).await.unwrap();
        assert_eq!(persists, -1, "a ban does not run out");
        assert!(plane.agents().lift_ban(&id("a")).await.unwrap().unwrap());
        assert!(!plane.agents().lift_ban(&id("a")).await.unwrap().unwrap());
        assert!(ttl(bench, &record).await.as_secs() > 600_000, "and its record expires again");
        assert_eq!(every_write(&plane, Some(first)).await, ["revoked"]);
        assert!(register(&plane, "a").await.epoch > first);
    })
    .await;
}

#[tokio::test]
async fn a_draining_agent_hears_why_until_its_next_incarnation() {
    check(&invariants(), async |bench| {
        let (plane, capacity) = (plane(bench), bench.scope.keys.ade().agent_capacity(&id("a")));
        assert_eq!(code(plane.agents().drain(&id("a"), None, "x").await.unwrap()), "unregistered");
        let wanted = Registration { max_tasks: Some(2), ..Registration::new(id("a")) };
        let epoch = plane.agents().register(&wanted).await.unwrap().unwrap().epoch;
        assert_eq!(code(plane.agents().drain(&id("a"), Some(epoch - 1), "x").await.unwrap()), "stale_epoch");
        plane.agents().drain(&id("a"), None, "new version").await.unwrap().unwrap();
        let beat = plane.agents().heartbeat(&id("a"), Some(epoch)).await.unwrap().unwrap();
        assert_eq!(beat.drain.as_deref(), Some("new version"));
        assert_eq!(hash(bench, &capacity).await["status"], "draining");
        let same = Registration { epoch: Some(epoch), ..wanted.clone() };
        plane.agents().register(&same).await.unwrap().unwrap();
        assert_eq!(hash(bench, &capacity).await["status"], "draining", "registering again is no way out");
        assert_eq!(
            plane.agents().show(&id("a")).await.unwrap().unwrap().drain.as_deref(),
            Some("new version")
        );
        register(&plane, "a").await;
        let beat = plane.agents().heartbeat(&id("a"), None).await.unwrap().unwrap();
        assert_eq!((beat.drain, hash(bench, &capacity).await["status"].as_str()), (None, "active"));
        plane.agents().drain(&id("a"), None, "").await.unwrap().unwrap();
        assert!(plane.agents().heartbeat(&id("a"), None).await.unwrap().unwrap().drain.is_some());
    })
    .await;
}

#[tokio::test]
async fn a_deregistered_agent_leaves_only_its_epoch() {
    check(&invariants(), async |bench| {
        let (plane, keys, agent) = (plane(bench), &bench.scope.keys, id("a"));
        let wanted = Registration {
            max_tasks: Some(2),
            role: Some(super::support::word("r")),
            ..Registration::new(agent.clone())
        };
        plane.agents().register(&wanted).await.unwrap().unwrap();
        plane.agents().deregister(&agent, None).await.unwrap().unwrap();
        let gone = [
            keys.reverie().session(&agent),
            keys.reverie().session_index(),
            keys.skynet().presence(&agent),
            keys.ade().agent_capacity(&agent),
            keys.quorate().agents_by_role(&super::support::word("r")),
        ];
        for key in gone {
            assert!(!exists(bench, &key).await, "{key}");
        }
        let shown = plane.agents().show(&agent).await.unwrap().unwrap();
        assert_eq!((shown.label.as_str(), shown.revoked), ("dead", false));
    })
    .await;
}

/// What an agent held is free in the same call, or with the next tick, as it left or was stopped.
#[tokio::test]
async fn what_an_agent_held_passes_on_when_it_leaves_or_is_stopped() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for agent in ["a", "b"] {
            register(&plane, agent).await;
        }
        let take = async |agent: &str| {
            let request = Request::new("name:deploy".parse().unwrap(), id(agent));
            matches!(plane.locks().acquire(&request).await.unwrap(), Outcome::Done(Acquire::Granted(_)))
        };
        assert!(take("a").await && !take("b").await);
        plane.agents().deregister(&id("a"), None).await.unwrap().unwrap();
        assert!(take("b").await, "in the same call");
        register(&plane, "a").await;
        plane.agents().revoke(&id("b"), None, None).await.unwrap().unwrap();
        quorate_plane::maintenance::tick(&plane).await.unwrap();
        assert!(take("a").await, "with the next tick");
        plane.agents().deregister(&id("a"), None).await.unwrap().unwrap();
    })
    .await;
}
