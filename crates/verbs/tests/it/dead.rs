//! What could not be done, by name.

use serde_json::{Value, json};

use crate::support::Asker;

/// Lets an item die; the id of its letter.
async fn letter(asker: &Asker, error: &str) -> Value {
    asker.done("queues.push", json!({ "queue": "normal", "payload": "p", "max_attempts": 1 })).await;
    let claim = asker.done("queues.claim", json!({ "queue": "normal", "agent": "w" })).await;
    let nack = json!({ "token": claim["items"][0]["token"], "agent": "w", "error": error });
    asker.done("queues.nack", nack).await["letter"].clone()
}

#[tokio::test]
async fn a_letter_is_found_noted_replayed_once_and_dropped() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["w"]).await;
        let id = letter(&asker, "disk full").await;
        let listed = asker.done("dead.ls", json!({ "queue": "normal", "text": "disk", "state": "open" })).await;
        assert_eq!((&listed[0]["id"], &listed[0]["reason"]), (&id, &json!("disk full")));
        assert_eq!(asker.done("dead.clusters", json!({})).await[0]["count"], 1);
        let noted = asker.done("dead.investigate", json!({ "id": id, "note": "known" })).await;
        assert_eq!(noted, json!({ "outcome": "investigated", "letter": id }));
        let shown = asker.done("dead.show", json!({ "id": id })).await;
        assert_eq!((&shown["note"], &shown["investigated_by"]), (&json!("known"), &json!("tester")));

        let replayed = asker.named("r1").done("dead.replay_one", json!({ "id": id, "payload": "q" })).await;
        let item = replayed["id"].clone();
        assert_eq!(replayed, json!({ "outcome": "replayed", "replayed": [{ "letter": id, "id": item }], "refused": [], "id": item }));
        let again = asker.named("r1").done("dead.replay", json!({ "ids": [id] })).await;
        assert_eq!(again["id"], item, "the same request is the same replay");
        let (status, why) = asker.refused("dead.replay", json!({ "ids": [id] })).await;
        assert_eq!((status, &why["code"], &why["letter"], &why["id"]), (409, &json!("already_replayed"), &id, &item));

        // The item that came of it is done, so that the next claim gets the next item.
        let claim = asker.done("queues.claim", json!({ "queue": "normal", "agent": "w" })).await;
        assert_eq!(claim["items"][0]["payload"], "q");
        asker.done("queues.ack", json!({ "token": claim["items"][0]["token"], "agent": "w" })).await;
        let other = letter(&asker, "disk full").await;
        let some = asker.done("dead.replay", json!({ "text": "disk" })).await;
        assert_eq!((&some["replayed"][0]["letter"], some["refused"].as_array().map(Vec::len)), (&other, Some(0)));
        let dropped = asker.done("dead.drop", json!({ "id": id, "ids": [other], "reason": "by hand" })).await;
        assert_eq!(dropped, json!({ "outcome": "dropped", "dropped": [id, other] }));
        for action in ["dead.show", "dead.drop", "dead.investigate", "dead.replay_one"] {
            let (status, why) = asker.refused(action, json!({ "id": id })).await;
            assert_eq!((status, &why["code"]), (404, &json!("no_letter")), "{action}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_rest_stays_where_it_is_until_the_first_has_proved_itself() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["w"]).await;
        for _ in 0..3 {
            letter(&asker, "no route").await;
        }
        let careful = json!({ "text": "no route", "canary": "100ms" });
        let held = asker.done("dead.replay", careful).await;
        assert_eq!(
            (
                &held["outcome"],
                &held["canary"],
                &held["held_back"],
                held["replayed"].as_array().map(Vec::len)
            ),
            (&json!("held_back"), &json!("unknown"), &json!(2), Some(1))
        );
        let claim = asker.done("queues.claim", json!({ "queue": "normal", "agent": "w" })).await;
        asker.done("queues.ack", json!({ "token": claim["items"][0]["token"], "agent": "w" })).await;
        let proved = asker.done("dead.ls", json!({ "state": "resolved" })).await;
        assert_eq!(proved.as_array().map(Vec::len), Some(1));
        let rest = asker.done("dead.replay", json!({ "text": "no route" })).await;
        assert_eq!(
            (&rest["outcome"], rest["replayed"].as_array().map(Vec::len)),
            (&json!("replayed"), Some(2))
        );
    })
    .await;
}

#[tokio::test]
async fn a_replay_must_say_what_it_means() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker
            .bad(
                "dead.replay",
                &[
                    json!({}),
                    json!({ "ids": ["a"], "queue": "normal" }),
                    json!({ "ids": ["a:b"] }),
                    json!({ "queue": "normal", "payload": "p" }),
                    json!({ "queue": "nowhere" }),
                    json!({ "ids": ["a"], "cap": 0 }),
                    json!({ "state": "lost" }),
                ],
            )
            .await;
        asker.bad("dead.ls", &[json!({ "limit": 0 }), json!({ "limit": 10_001 })]).await;
    })
    .await;
}

#[tokio::test]
async fn a_record_of_relaynas_is_replayed_into_a_queue_that_workers_claim_from() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["w"]).await;
        let record = json!({ "dlq_id": "d1", "queue_name": "tasks.dlq", "retry_queue_name": "tasks", "reason": "timeout" });
        let kept = asker.done("dead.keep", json!({ "record": record })).await;
        assert_eq!(kept, json!({ "outcome": "kept", "dlq_id": "d1" }));
        let first = asker.named("r1").done("dead.retry", json!({ "dlq_id": "d1", "body": "{\"n\":1}" })).await;
        assert_eq!(asker.named("r1").done("dead.retry", json!({ "dlq_id": "d1" })).await, first);
        let (status, why) = asker.refused("dead.retry", json!({ "dlq_id": "d1" })).await;
        assert_eq!((status, &why["code"]), (409, &json!("already_replayed")));
        let claim = asker.done("queues.claim", json!({ "queue": "job:tasks", "agent": "w", "max": 5 })).await;
        let items = claim["items"].as_array().unwrap();
        assert_eq!((items.len(), &items[0]["id"]), (1, &json!("d1.r1")));
        let message: Value = serde_json::from_str(items[0]["payload"].as_str().unwrap()).unwrap();
        assert_eq!((&message["body"], &message["headers"]["x-relayna-retry-attempt"]), (&json!({ "n": 1 }), &json!(0)));
        asker.done("queues.ack", json!({ "token": items[0]["token"], "agent": "w" })).await;
        let noted = asker.done("dead.review", json!({ "dlq_id": "d1", "note": "known" })).await;
        assert_eq!((&noted["review"]["by"], &noted["review"]["state"]), (&json!("tester"), &json!("investigated")));
        assert_eq!(asker.done("dead.delete", json!({ "dlq_id": "d1", "reason": "done" })).await["outcome"], "deleted");
        for action in ["dead.record", "dead.retry", "dead.review", "dead.delete"] {
            let (status, why) = asker.refused(action, json!({ "dlq_id": "d1" })).await;
            assert_eq!((status, &why["code"]), (404, &json!("no_letter")), "{action}");
        }
    })
    .await;
}

#[tokio::test]
async fn failed_tasks_are_listed_shown_reviewed_and_retried_by_hand_once() {
    quorate_testkit::check(&quorate_plane::invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let record = json!({ "dlq_id": "d1", "queue_name": "q.dlq", "source_queue_name": "q", "retry_queue_name": "q.retry", "reason": "timeout",
            "exception_type": "TimeoutError", "task_id": "t1", "body": { "n": 1 }, "dead_lettered_at": "2026-11-16T12:00:00Z" });
        asker.done("dead.keep", json!({ "record": record })).await;
        let wanted = json!({ "error_type": "TimeoutError", "investigation_status": "unreviewed", "failed_from": "2026-11-16T12:00:00" });
        let page = asker.done("dead.failed", wanted.clone()).await;
        assert_eq!((&page["items"][0]["failure_id"], &page["items"][0]["queue_name"]), (&json!("d1"), &json!("q")));
        asker.done("dead.review", json!({ "dlq_id": "d1", "note": "a full disk" })).await;
        assert_eq!(asker.done("dead.failed", wanted).await["items"], json!([]));
        let retry = json!({ "dlq_id": "d1", "by_hand": true, "note": "there is room again" });
        let done = asker.named("r1").done("dead.retry", retry.clone()).await;
        assert_eq!((&done["target_queue_name"], &done["task_id"]), (&json!("q"), &json!("t1")));
        assert_eq!(asker.named("r1").done("dead.retry", retry.clone()).await, done, "a repetition");
        let (status, why) = asker.refused("dead.retry", retry).await;
        assert_eq!((status, &why["code"]), (409, &json!("already_replayed")));
        let shown = asker.done("dead.failure", json!({ "failure_id": "d1" })).await;
        assert_eq!((&shown["retry_status"], &shown["investigated_by"], &shown["body"]), (&json!("retried"), &json!("tester"), &json!({ "n": 1 })));
        let (status, why) = asker.refused("dead.failure", json!({ "failure_id": "d9" })).await;
        assert_eq!((status, &why["code"]), (404, &json!("no_letter")));
        let bad = [json!({ "failed_from": "yesterday" }), json!({ "investigation_status": "seen" }), json!({ "limit": 0 })];
        asker.bad("dead.failed", &bad).await;
        let (status, why) = asker.refused("dead.failed", json!({ "cursor": "nobody" })).await;
        assert_eq!((status, &why["code"]), (404, &json!("unknown_cursor")));
    })
    .await;
}

#[tokio::test]
async fn notices_are_set_shown_and_refuse_nonsense() {
    quorate_testkit::check(&quorate_plane::invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let usual = json!({ "configured": false, "enabled": false, "batch_wait_seconds": 0, "max_batch_wait_seconds": 604_800, "receivers": [],
            "pending": 0, "pending_since": null, "attempts": 0, "trouble": null });
        assert_eq!(asker.done("notices.show", json!({})).await, usual);
        assert_eq!(asker.done("notices.run", json!({})).await["idle"], "disabled");
        let set = asker.done("notices.set", json!({ "enabled": true, "batch_wait_seconds": 3_600 })).await;
        assert_eq!((&set["enabled"], &set["batch_wait_seconds"]), (&json!(true), &json!(3_600)));
        let bad = [json!({}), json!({ "batch_wait_seconds": 604_801 }), json!({ "enabled": "maybe" }), json!({ "batch_wait_seconds": -1 })];
        asker.bad("notices.set", &bad).await;
        let tested = asker.done("notices.test", json!({})).await;
        assert_eq!(tested, json!({ "sent": false, "trouble": "no mail server is set" }));
        assert_eq!(asker.done("notices.set", json!({ "enabled": false })).await["batch_wait_seconds"], 3_600);
    })
    .await;
}
