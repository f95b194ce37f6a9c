//! A full server, and other programs' bytes where ours should be.

use quorate_plane::agents::{Label, Query, Registration};
use quorate_plane::invariants;
use quorate_store::{ErrorKind, cmd};
use quorate_testkit::{Bench, check};

use super::support::{id, plane, register};

#[tokio::test]
async fn on_a_full_server_agents_live_on_and_leave_but_do_not_come() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for agent in ["a", "b"] {
            let wanted = Registration { max_tasks: Some(1), ..Registration::new(id(agent)) };
            plane.agents().register(&wanted).await.unwrap().unwrap();
        }
        bench.cli("CONFIG SET maxmemory 1").await;
        plane.agents().heartbeat(&id("a"), None).await.unwrap().unwrap();
        plane.agents().poke(&id("a")).await.unwrap().unwrap();
        plane.agents().drain(&id("b"), None, "full").await.unwrap().unwrap();
        plane.agents().deregister(&id("a"), None).await.unwrap().unwrap();
        plane.agents().revoke(&id("b"), None, Some("full")).await.unwrap().unwrap();
        plane.agents().lift_ban(&id("b")).await.unwrap().unwrap();
        let refused = plane.agents().register(&Registration::new(id("c"))).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::OutOfMemory);
        plane.agents().reap(async |_| Ok(true)).await.unwrap();
        bench.cli("CONFIG SET maxmemory 0").await;
        assert!(plane.agents().show(&id("c")).await.unwrap().is_none(), "nothing was half done");
    })
    .await;
}

#[tokio::test]
async fn foreign_sessions_are_read_and_never_trusted() {
    check(&invariants(), async |bench| {
        let (plane, keys) = (plane(bench), &bench.scope.keys);
        let now = bench.scope.store.time().await.unwrap().seconds();
        let seen = |agent: &str, heartbeat: String| {
            (
                format!("HSET {} last_heartbeat {heartbeat} task x", keys.reverie().session(&id(agent))),
                agent.to_owned(),
            )
        };
        let sessions = [
            seen("fresh", now.to_string()),
            seen("quiet", (now - 301).to_string()),
            seen("garbage", "soon".into()),
            seen("endless", "inf".into()),
            seen("future", (now + 86_400).to_string()),
        ];
        for (line, agent) in sessions {
            bench.cli(&line).await;
            bench.cli(&format!("ZADD {} {now} {agent}", keys.reverie().session_index())).await;
        }
        let raw = keys.reverie().session(&id("fresh"));
        bench
            .scope
            .store
            .query::<u64>(cmd("HSET").arg(raw.as_str()).arg("blob").arg(b"\xff\xfe".as_slice()))
            .await
            .unwrap();
        bench
            .scope
            .store
            .query::<u64>(
                cmd("ZADD").arg(keys.reverie().session_index().as_str()).arg(1).arg(b"\xff{}*".as_slice()),
            )
            .await
            .unwrap();
        let label =
            async |agent: &str| plane.agents().show(&id(agent)).await.unwrap().map(|agent| agent.label);
        assert_eq!(label("fresh").await, Some(Label::Online));
        assert_eq!(label("quiet").await, Some(Label::Stale));
        assert_eq!(label("future").await, Some(Label::Online));
        assert_eq!(label("garbage").await, None, "a session that says nothing of when it lived");
        assert_eq!(label("nobody").await, None);
        let page = plane.agents().ls(&Query { limit: 100, ..Query::default() }).await.unwrap();
        assert_eq!((page.agents.len(), page.cursor), (5, None));
        let merged = Registration {
            blob: Some(super::support::object("{\"a\":1}")),
            ..Registration::new(id("fresh"))
        };
        plane.agents().register(&merged).await.unwrap().unwrap();
        assert_eq!(plane.agents().show(&id("fresh")).await.unwrap().unwrap().task.as_deref(), Some("x"));
    })
    .await;
}

/// One bad key costs its own agent and nobody else.
#[tokio::test]
async fn a_page_with_an_unreadable_agent_shows_the_others() {
    let bench = Bench::start().await;
    let plane = plane(&bench);
    for agent in ["a", "b", "c"] {
        register(&plane, agent).await;
    }
    let session = bench.scope.keys.reverie().session(&id("b"));
    bench.cli(&format!("DEL {session}")).await;
    bench.cli(&format!("SET {session} wrong")).await;
    let page = plane.agents().ls(&Query { limit: 9, ..Query::default() }).await.unwrap();
    let seen: Vec<_> =
        page.agents.iter().map(|agent| (agent.agent.as_str(), agent.unreadable.is_some())).collect();
    assert_eq!(seen, [("a", false), ("b", true), ("c", false)]);
    assert!(plane.agents().show(&id("b")).await.unwrap().unwrap().unreadable.is_some());
    let mess = bench.mess(&invariants()).await;
    assert!(mess.len() == 1 && mess[0].starts_with("FSCK001"), "{mess:?}");
}
