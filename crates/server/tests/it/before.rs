//! The record of a change says what was there before it, over every route.

use quorate_plane::trail::{Filter, Record, UNKNOWN};
use quorate_verbs::Effect;
use reqwest::Method;
use serde_json::{Value, json};

use crate::changes::method;
use crate::ready::{Stage, address};
use crate::support::{Server, read};

/// What makes something, concerns many things at once, or has nothing that shows one of them: there was no one thing before.
const NOTHING_BEFORE: [&str; 14] = [
    "agents.register",
    "locks.guard",
    "locks.break",
    "dead.replay",
    "events.forget",
    "jobs.schedule",
    "services.register",
    "workflows.define",
    "limits.set",
    "tokens.create",
    "sign-ins.invite",
    "sign-ins.revoke",
    "webhooks.add",
    "notices.test",
];

async fn last(server: &Server) -> quorate_plane::trail::Entry {
    let page = server.plane.trail().ls(&Filter { limit: 1, ..Filter::default() }).await.unwrap();
    page.records.into_iter().next().expect("a record")
}

#[tokio::test]
async fn every_change_of_a_thing_is_on_record_with_what_it_was_before() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::calling(bench).await;
        let stage = Stage::new(&server.plane).await;
        let mut without = Vec::new();
        for (n, entry) in stage.changing().enumerate() {
            if !matches!(entry.about.effect, Effect::Change | Effect::Destroys) {
                continue;
            }
            let action = entry.about.action();
            let (path, body) = address(entry, &stage.input(&action, n).await);
            let request = server.ask(method(entry), &path).header("content-type", "application/json");
            let answer = read(request.body(body.to_string()).send().await.unwrap()).await;
            // What is asked of a service elsewhere is tested with one.
            if answer.0 == 400 && entry.about.path.contains("/failed/") {
                continue;
            }
            let record = last(&server).await;
            assert_eq!(record.action, action, "{answer:?}");
            if record.before.is_none() {
                without.push(action);
            }
        }
        assert_eq!(without, NOTHING_BEFORE);
    })
    .await;
}

#[tokio::test]
async fn what_is_on_record_as_before_is_what_the_change_found() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        for (rule, before) in [("2/1m", Value::Null), ("5/1m", json!(2)), ("9/1m", json!(5))] {
            let answer = server.send(Method::PUT, "/api/v1/limits/reports", json!({ "rule": rule })).await;
            assert_eq!(answer.status(), 200);
            let found = last(&server).await.before.unwrap_or_default();
            assert_eq!(found.get("limit").cloned().unwrap_or_default(), before, "{found}");
        }
        server.post("/api/v1/tokens", json!({ "name": "lost", "role": "viewer" })).await;
        server.ask(Method::DELETE, "/api/v1/tokens/lost").send().await.unwrap();
        let found = last(&server).await.before.expect("the token");
        assert_eq!((&found["name"], &found["role"]), (&json!("lost"), &json!("viewer")), "{found}");
        // Of two attempts at one request the second may see what the first one did.
        let trail = server.plane.trail();
        let note = |before: Value| Record {
            action: "limits.set".into(),
            request: "twice".into(),
            result: UNKNOWN.into(),
            before: Some(before),
            ..Record::default()
        };
        assert_eq!(trail.intend(&note(json!("first"))).await.unwrap(), Some(json!("first")));
        assert_eq!(trail.intend(&note(json!("second"))).await.unwrap(), Some(json!("first")));
        trail.withdraw("twice").await.unwrap();
    })
    .await;
}

/// Pending and dead observations have ids of their own, and those of one moment may be alike.
#[tokio::test]
async fn a_dead_observation_on_record_is_the_dead_one() {
    quorate_testkit::check_verbatim(&[], async |bench| {
        let server = Server::start(bench).await;
        let id = "1794768310000-0";
        bench.cli(&format!("XADD observations:queue:pending {id} content another topic t")).await;
        bench.cli(&format!("XADD observations:queue:dead {id} content slow topic t")).await;
        let answer = server.ask(Method::DELETE, &format!("/api/v1/observations/{id}")).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let found = last(&server).await.before.expect("the dead one");
        assert!(found.to_string().contains("slow"), "{found}");
    })
    .await;
}
