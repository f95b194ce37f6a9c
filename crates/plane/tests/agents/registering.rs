//! What a registration writes, and what it leaves alone.

use std::time::Duration;

use futures_util::future::join_all;
use quorate_plane::agents::{Blob, Patch, Query, Registration, Status};
use quorate_plane::invariants;
use quorate_store::{ErrorKind, Micros};
use quorate_testkit::check;
use serde_json::json;

use super::support::{code, exists, hash, id, object, plane, register, score, ttl, word};

fn full(agent: &str) -> Registration {
    Registration {
        kind: Some("planner".into()),
        role: Some(word("reviewer")),
        task: Some("read".into()),
        capabilities: vec![word("rust"), word("lua"), word("rust")],
        max_tasks: Some(3),
        blob: Some(object(r#"{"a":1,"deep":{"n":123456789012345678901234567890}}"#)),
        ..Registration::new(id(agent))
    }
}

#[tokio::test]
async fn one_registration_is_seen_in_every_system() {
    check(&invariants(), async |bench| {
        let (plane, keys, agent) = (plane(bench), &bench.scope.keys, id("a"));
        let registered = plane.agents().register(&full("a")).await.unwrap().unwrap();
        let session = hash(bench, keys.reverie().session(&agent)).await;
        assert_eq!(session["capabilities"], r#"["rust","lua"]"#);
        assert_eq!((session["role"].as_str(), session["type"].as_str()), ("reviewer", "planner"));
        assert_eq!(session["epoch"], registered.epoch.to_string());
        assert_eq!(session["last_heartbeat"], session["last_acked_at"]);
        let heard: f64 = session["last_heartbeat"].parse().unwrap();
        assert_eq!(score(bench, keys.reverie().session_index(), "a").await, Some(heard));
        let close = |left: Duration, whole: u64| {
            assert!(left <= Duration::from_secs(whole) && left > Duration::from_secs(whole - 5), "{left:?}");
        };
        close(ttl(bench, keys.reverie().session(&agent)).await, 600);
        close(ttl(bench, keys.skynet().presence(&agent)).await, 60);
        let shown = plane.agents().show(&agent).await.unwrap().unwrap();
        assert_eq!(shown.presence.as_deref(), Some("online"));
        let context = hash(bench, keys.skynet().context(&agent)).await;
        assert_eq!(context["agent_type"], "planner");
        assert!(Micros::parse_iso(&context["created_at"]).is_some());
        let capacity = hash(bench, keys.ade().agent_capacity(&agent)).await;
        let facts =
            ["max_tasks", "active_tasks", "queued_tasks", "status"].map(|name| capacity[name].as_str());
        assert_eq!(facts, ["3", "0", "0", "active"]);
        assert_eq!(
            registered.lease_until.millis(),
            Micros::parse_iso(&capacity["last_heartbeat"]).unwrap().millis() + 60_000
        );
    })
    .await;
}

#[tokio::test]
async fn registering_again_keeps_what_is_not_stated() {
    check(&invariants(), async |bench| {
        let (plane, keys, agent) = (plane(bench), &bench.scope.keys, id("a"));
        let first = plane.agents().register(&full("a")).await.unwrap().unwrap();
        let again = Registration {
            epoch: Some(first.epoch),
            blob: Some(object(r#"{"a":2,"b":[1]}"#)),
            ..Registration::new(agent.clone())
        };
        assert_eq!(plane.agents().register(&again).await.unwrap().unwrap().epoch, first.epoch);
        let second = register(&plane, "a").await;
        assert!(second.epoch > first.epoch);
        let session = hash(bench, keys.reverie().session(&agent)).await;
        assert_eq!(session["blob"], r#"{"a":2,"deep":{"n":123456789012345678901234567890},"b":[1]}"#);
        let facts = ["role", "type", "task", "max_tasks"].map(|name| session[name].as_str());
        assert_eq!(facts, ["reviewer", "planner", "read", "3"]);
        for query in [
            Query { role: Some(word("reviewer")), limit: 9, ..Query::default() },
            Query { capability: Some(word("lua")), limit: 9, ..Query::default() },
        ] {
            assert_eq!(plane.agents().ls(&query).await.unwrap().agents.len(), 1, "{query:?}");
        }
        assert_eq!(hash(bench, keys.ade().agent_capacity(&agent)).await["max_tasks"], "3");
    })
    .await;
}

#[tokio::test]
async fn a_context_that_is_there_is_not_touched() {
    check(&invariants(), async |bench| {
        let (plane, key) = (plane(bench), bench.scope.keys.skynet().context(&id("a")));
        bench.cli(&format!("HSET {key} agent_type coder created_at 2025-11-19T12:00:00Z x 1")).await;
        let before = hash(bench, &key).await;
        plane.agents().register(&full("a")).await.unwrap().unwrap();
        assert_eq!(hash(bench, &key).await, before);
    })
    .await;
}

#[tokio::test]
async fn words_are_searched_together_and_change_with_the_registration() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for (agent, role, can) in
            [("a", "reviewer", "rust"), ("b", "reviewer", "lua"), ("c", "coder", "rust")]
        {
            let wanted = Registration {
                role: Some(word(role)),
                capabilities: vec![word(can)],
                ..Registration::new(id(agent))
            };
            plane.agents().register(&wanted).await.unwrap().unwrap();
        }
        let find = async |role: Option<&str>, can: Option<&str>, limit| {
            let (mut names, mut cursor) = (Vec::new(), None);
            loop {
                let query =
                    Query { role: role.map(word), capability: can.map(word), limit, cursor, live: false };
                let page = plane.agents().ls(&query).await.unwrap();
                assert!(page.agents.len() <= limit);
                names.extend(page.agents.into_iter().map(|agent| agent.agent));
                cursor = page.cursor;
                if cursor.is_none() {
                    return names.join(" ");
                }
            }
        };
        assert_eq!(find(Some("reviewer"), None, 1).await, "a b");
        assert_eq!(find(None, Some("rust"), 9).await, "a c");
        assert_eq!(find(Some("reviewer"), Some("rust"), 1).await, "a");
        let moved = Registration { role: Some(word("coder")), ..Registration::new(id("a")) };
        plane.agents().register(&moved).await.unwrap().unwrap();
        assert_eq!(find(Some("reviewer"), None, 9).await, "b");
        assert_eq!(find(Some("coder"), Some("rust"), 9).await, "a c", "its capability stays");
        plane.agents().deregister(&id("a"), None).await.unwrap().unwrap();
        assert_eq!(find(None, Some("rust"), 9).await, "c");
    })
    .await;
}

#[tokio::test]
async fn a_session_that_died_is_not_found_by_its_old_words() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        plane.agents().register(&full("a")).await.unwrap().unwrap();
        bench.cli(&format!("DEL {}", bench.scope.keys.reverie().session(&id("a")))).await;
        register(&plane, "a").await;
        let query = Query { role: Some(word("reviewer")), limit: 9, ..Query::default() };
        assert!(plane.agents().ls(&query).await.unwrap().agents.is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_update_changes_what_it_names_and_a_merge_loses_nothing() {
    check(&invariants(), async |bench| {
        let (plane, key) = (plane(bench), bench.scope.keys.reverie().session(&id("a")));
        let epoch = plane.agents().register(&full("a")).await.unwrap().unwrap().epoch;
        let patch = Patch { status: Some(Status::Blocked), task: Some("wait".into()), blob: None };
        plane.agents().update(&id("a"), Some(epoch), &patch).await.unwrap().unwrap();
        let session = hash(bench, &key).await;
        assert_eq!((session["status"].as_str(), session["task"].as_str()), ("blocked", "wait"));
        assert!(session["blob"].contains("123456789012345678901234567890"));
        let merges = (0..32).map(|n| {
            let blob = Some(Blob::Merge(object(&format!("{{\"n{n}\":{n}}}"))));
            let (plane, patch) = (plane.clone(), Patch { blob, ..Patch::default() });
            async move { plane.agents().update(&id("a"), None, &patch).await.unwrap().unwrap() }
        });
        join_all(merges).await;
        let blob: serde_json::Value = serde_json::from_str(&hash(bench, &key).await["blob"]).unwrap();
        assert_eq!(blob.as_object().unwrap().len(), 34, "{blob}");
        let patch = Patch { blob: Some(Blob::Replace(object("{\"z\":0}"))), ..Patch::default() };
        plane.agents().update(&id("a"), None, &patch).await.unwrap().unwrap();
        let shown = plane.agents().show(&id("a")).await.unwrap().unwrap();
        assert_eq!(shown.blob, Some(json!({ "z": 0 })));
    })
    .await;
}

#[tokio::test]
async fn a_session_that_another_client_removed_is_not_made_anew_from_half_of_its_fields() {
    check(&invariants(), async |bench| {
        let (plane, keys) = (plane(bench), &bench.scope.keys);
        register(&plane, "a").await;
        let session = keys.reverie().session(&id("a"));
        bench.cli(&format!("DEL {session}")).await;
        bench.cli(&format!("ZREM {} a", keys.reverie().session_index())).await;
        let patch = Patch { task: Some("x".into()), ..Patch::default() };
        assert_eq!(code(plane.agents().heartbeat(&id("a"), None).await.unwrap()), "unregistered");
        assert_eq!(code(plane.agents().update(&id("a"), None, &patch).await.unwrap()), "unregistered");
        assert!(!exists(bench, &session).await);
    })
    .await;
}

#[tokio::test]
async fn what_could_never_work_is_bad_input_and_writes_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let own = Registration::new(id("a"));
        let many = (0..65).map(|n| word(&format!("w{n}"))).collect();
        for wanted in [
            Registration { lease: Duration::ZERO, ..own.clone() },
            Registration { lease: Duration::from_secs(86_401), ..own.clone() },
            Registration { capabilities: many, ..own.clone() },
            Registration { parent: Some(id("a")), ..own.clone() },
            Registration { task: Some("x".repeat(4_097)), ..own.clone() },
        ] {
            let error = plane.agents().register(&wanted).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        }
        let nothing = plane.agents().update(&id("a"), None, &Patch::default()).await.unwrap_err();
        assert_eq!(nothing.kind(), ErrorKind::InvalidArgument);
        for cursor in ["", "x", "NaN/a", "inf/a", "a:b"] {
            let query = Query { cursor: Some(cursor.into()), limit: 1, ..Query::default() };
            assert_eq!(
                plane.agents().ls(&query).await.unwrap_err().kind(),
                ErrorKind::InvalidArgument,
                "{cursor}"
            );
        }
        assert!(super::support::dump(bench).await.is_empty());
    })
    .await;
}
