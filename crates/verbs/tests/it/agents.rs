//! Who is here, by name.

use quorate_verbs::Fault;
use serde_json::json;

use crate::support::{Asker, without};

#[tokio::test]
async fn an_agent_lives_its_life() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let registered = asker
            .done(
                "agents.register",
                json!({ "agent": "planner-1", "type": "planner", "role": "plan", "capabilities": ["rust", "sql"],
                    "max_tasks": 3, "lease": "90s", "blob": { "zone": "a" }, "task": "think" }),
            )
            .await;
        let epoch = registered["epoch"].as_u64().expect("a number");
        assert_eq!(
            without(registered, &["lease_until", "epoch"]),
            json!({ "outcome": "registered", "agent": "planner-1", "parent": null })
        );
        let sub = asker.done("agents.register", json!({ "agent": "planner-1", "as_subagent": "x" })).await;
        assert_eq!((&sub["agent"], &sub["parent"]), (&json!("planner-1-sub-x"), &json!("planner-1")));

        let beat = asker.done("agents.heartbeat", json!({ "agent": "planner-1", "epoch": epoch })).await;
        assert_eq!(
            without(beat, &["lease_until"]),
            json!({ "outcome": "acked", "agent": "planner-1", "epoch": epoch, "messages": 0, "unread": 0, "drain": null })
        );
        let poked = asker.done("agents.heartbeat", json!({ "agent": "planner-1", "poke": true })).await;
        assert_eq!(poked, json!({ "outcome": "poked", "agent": "planner-1" }));

        let change = json!({ "agent": "planner-1", "status": "blocked", "blob": "{\"n\":1}", "merge_blob": true });
        let updated = asker.done("agents.update", change).await;
        assert_eq!(without(updated, &["version"]), json!({ "outcome": "updated", "agent": "planner-1" }));
        let shown = asker.done("agents.show", json!({ "agent": "planner-1" })).await;
        assert_eq!(
            (&shown["type"], &shown["status"], &shown["blob"], &shown["label"]),
            (&json!("planner"), &json!("blocked"), &json!({ "zone": "a", "n": 1 }), &json!("online"))
        );
        let page = asker.done("agents.ls", json!({ "capability": "rust", "limit": 10 })).await;
        assert_eq!(page["agents"].as_array().map(Vec::len), Some(1));

        let drained = asker.done("agents.drain", json!({ "agent": "planner-1", "reason": "noon" })).await;
        assert_eq!(drained, json!({ "outcome": "draining", "agent": "planner-1", "epoch": epoch }));
        let beat = asker.done("agents.heartbeat", json!({ "agent": "planner-1" })).await;
        assert_eq!(beat["drain"], "noon");
        let gone = asker.done("agents.deregister", json!({ "agent": "planner-1", "epoch": epoch })).await;
        assert_eq!(gone, json!({ "outcome": "deregistered", "agent": "planner-1", "epoch": epoch }));
    })
    .await;
}

#[tokio::test]
async fn a_banned_agent_stays_out_until_the_ban_is_lifted() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let first = asker.done("agents.register", json!({ "agent": "w" })).await["epoch"].clone();
        let revoked = asker.done("agents.revoke", json!({ "agent": "w", "ban": "nonsense" })).await;
        assert_eq!(
            revoked,
            json!({ "outcome": "revoked", "agent": "w", "epoch": first, "banned": "nonsense" })
        );
        let (status, why) = asker.refused("agents.register", json!({ "agent": "w" })).await;
        assert_eq!((status, &why["code"], &why["outcome"]), (403, &json!("banned"), &json!("refused")));
        let lifted = asker.done("agents.lift", json!({ "agent": "w" })).await;
        assert_eq!(lifted, json!({ "outcome": "lifted", "agent": "w", "was_banned": true }));
        let second = asker.done("agents.register", json!({ "agent": "w" })).await["epoch"].as_u64();
        assert!(second > first.as_u64());
    })
    .await;
}

#[tokio::test]
async fn a_repeated_request_has_one_effect() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await.named("r1");
        let first = asker.done("agents.register", json!({ "agent": "w", "blob": { "n": 1 } })).await;
        let again = asker.done("agents.register", json!({ "agent": "w", "blob": { "n": 1 } })).await;
        assert_eq!(first, again);
        let other = asker.named("r2").done("agents.register", json!({ "agent": "w" })).await;
        assert!(other["epoch"].as_u64() > first["epoch"].as_u64(), "another request is another incarnation");
        let update = json!({ "agent": "w", "task": "t" });
        let versions = [
            asker.named("u1").done("agents.update", update.clone()).await,
            asker.named("u1").done("agents.update", update).await,
        ];
        assert_eq!(versions[0], versions[1]);
        let gone = json!({ "agent": "w" });
        let first = asker.named("d1").done("agents.deregister", gone.clone()).await;
        assert_eq!(first, asker.named("d1").done("agents.deregister", gone).await);
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_is_refused_before_the_store_hears_of_it() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker
            .bad(
                "agents.register",
                &[
                    json!({}),
                    json!({ "agent": "" }),
                    json!({ "agent": "a b" }),
                    json!({ "agent": "a:b" }),
                    json!({ "agent": "a", "lease": "25h" }),
                    json!({ "agent": "a", "lease": 60 }),
                    json!({ "agent": "a", "blob": [1] }),
                    json!({ "agent": "a", "blob": "{" }),
                    json!({ "agent": "a", "capabilities": ["x y"] }),
                    json!({ "agent": "a", "epoch": -1 }),
                    json!({ "agent": "a", "parent": "a" }),
                    json!({ "agent": "a", "as_subagent": "b", "epoch": 1 }),
                    json!({ "agent": "a", "as_subagent": "b", "parent": "c" }),
                ],
            )
            .await;
        asker
            .bad("agents.update", &[json!({ "agent": "a" }), json!({ "agent": "a", "status": "great" })])
            .await;
        asker.bad("agents.revoke", &[json!({ "agent": "a", "ban": "" })]).await;
        asker
            .bad("agents.ls", &[json!({ "limit": 0 }), json!({ "limit": 1001 }), json!({ "cursor": 1 })])
            .await;
        asker.bad("agents.heartbeat", &[json!({ "agent": "a", "poke": true, "epoch": 1 })]).await;
        let (status, why) = asker.refused("agents.show", json!({ "agent": "nobody" })).await;
        assert_eq!((status, &why["code"]), (404, &json!("unregistered")));

        let own = asker.bound("a");
        own.registers(&["a"]).await;
        own.done("agents.register", json!({ "agent": "a", "as_subagent": "b" })).await;
        own.done("agents.heartbeat", json!({ "agent": "a-sub-b" })).await;
        for action in ["agents.register", "agents.heartbeat", "agents.update", "agents.deregister"] {
            let fault = own.fault(action, json!({ "agent": "other" })).await;
            assert!(matches!(fault, Fault::NotYours(_)), "{action}: {fault:?}");
        }
    })
    .await;
}
