//! What is to be done, by name.

use quorate_verbs::Fault;
use serde_json::json;

use crate::support::{Asker, without};

#[tokio::test]
async fn an_item_is_pushed_claimed_extended_and_done() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["w"]).await;
        let pushed = asker.done("queues.push", json!({ "queue": "high", "payload": "p" })).await;
        assert_eq!(without(pushed, &["id"]), json!({ "outcome": "pushed", "queue": "high" }));
        let claimed =
            asker.done("queues.claim", json!({ "queue": "high", "agent": "w", "lease": "30s" })).await;
        let item = &claimed["items"][0];
        assert_eq!(
            (&claimed["outcome"], &item["payload"], &item["attempt"]),
            (&json!("claimed"), &json!("p"), &json!(1))
        );
        let token = item["token"].clone();
        let more = asker.done("queues.extend", json!({ "token": token, "agent": "w" })).await;
        assert_eq!(without(more, &["lease_until"]), json!({ "outcome": "extended", "token": token }));
        let shown = asker.done("queues.show", json!({ "queue": "high" })).await;
        assert_eq!((&shown["in_flight"], &shown["claims"][0]["agent"]), (&json!(1), &json!("w")));
        let done = asker.done("queues.ack", json!({ "token": token, "agent": "w" })).await;
        assert_eq!(done, json!({ "outcome": "acked", "token": token }));
        let (status, late) = asker.refused("queues.nack", json!({ "token": token, "agent": "w" })).await;
        assert_eq!((status, &late["outcome"], &late["code"]), (409, &json!("stale"), &json!("stale_claim")));
        let empty =
            asker.done("queues.claim", json!({ "queue": "high", "agent": "w", "wait": "50ms" })).await;
        assert_eq!(empty, json!({ "outcome": "empty", "items": [] }));
    })
    .await;
}

#[tokio::test]
async fn a_failure_comes_again_and_a_paused_queue_gives_nothing() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["w"]).await;
        asker.done("queues.push", json!({ "queue": "job:b", "payload": "p", "max_attempts": 2 })).await;
        let claim = json!({ "queue": "job:b", "agent": "w" });
        let token = asker.done("queues.claim", claim.clone()).await["items"][0]["token"].clone();
        let again = asker
            .done("queues.nack", json!({ "token": token, "agent": "w", "error": "e", "delay": "0s" }))
            .await;
        assert_eq!(without(again, &["due"]), json!({ "outcome": "retry", "token": token }));
        let token = asker.done("queues.claim", claim.clone()).await["items"][0]["token"].clone();
        let dead = asker.done("queues.nack", json!({ "token": token, "agent": "w", "error": "e" })).await;
        assert_eq!(without(dead, &["letter"]), json!({ "outcome": "dead", "token": token }));
        let paused = asker.done("queues.pause", json!({ "queue": "job:b" })).await;
        assert_eq!(paused, json!({ "outcome": "paused", "queue": "job:b", "before": "" }));
        assert_eq!(asker.done("queues.claim", claim).await["paused"], true);
        let resumed = asker.done("queues.resume", json!({ "queue": "job:b" })).await;
        assert_eq!((&resumed["outcome"], &resumed["queue"]), (&json!("resumed"), &json!("job:b")));
        assert!(resumed["before"].as_str().is_some_and(|before| before.starts_with("tester ")));
        let all = asker.done("queues.ls", json!({})).await;
        assert!(
            all.as_array()
                .is_some_and(|all| all.iter().any(|own| own["queue"] == "job:b" && own["dead"] == 1))
        );
    })
    .await;
}

#[tokio::test]
async fn a_repeated_push_is_one_item_and_nobody_claims_for_another() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["w", "v"]).await;
        let push = json!({ "queue": "low", "payload": "p" });
        let first = asker.named("r1").done("queues.push", push.clone()).await;
        let again = asker.named("r1").done("queues.push", push).await;
        assert_eq!((&first["id"], &again["outcome"]), (&again["id"], &json!("known")));
        assert_eq!(asker.done("queues.show", json!({ "queue": "low" })).await["depth"], 1);
        let own = asker.bound("v");
        for (action, input) in [
            ("queues.claim", json!({ "queue": "low", "agent": "w" })),
            ("queues.ack", json!({ "token": "low.1.x.1", "agent": "w" })),
        ] {
            assert!(matches!(own.fault(action, input).await, Fault::NotYours(_)), "{action}");
        }
        asker
            .bad(
                "queues.push",
                &[
                    json!({ "queue": "x", "payload": "p" }),
                    json!({ "queue": "low" }),
                    json!({ "queue": "low", "payload": "p", "max_attempts": 0 }),
                ],
            )
            .await;
        asker
            .bad(
                "queues.claim",
                &[
                    json!({ "queue": "low", "agent": "w", "max": 501 }),
                    json!({ "queue": "low", "agent": "w", "lease": "0s" }),
                ],
            )
            .await;
        asker
            .bad("queues.ack", &[json!({ "agent": "w" }), json!({ "agent": "w", "token": "nonsense" })])
            .await;
    })
    .await;
}
