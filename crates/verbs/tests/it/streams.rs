//! What happened, what agents noticed and what services logged, by name.

use quorate_verbs::Fault;
use serde_json::json;

use crate::support::{Asker, without};

#[tokio::test]
async fn an_event_is_published_read_and_acknowledged() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let event = json!({ "stream": "all", "event": "build:done", "payload": { "build": 42 } });
        let published = asker.done("events.publish", event).await;
        let id = published["id"].clone();
        assert_eq!(published, json!({ "outcome": "published", "stream": "events:all", "id": id }));
        let newest = asker.done("events.newest", json!({ "stream": "events:all" })).await;
        assert_eq!(
            (&newest[0]["id"], &newest[0]["fields"]["source"], &newest[0]["fields"]["payload"]),
            (&id, &json!("tester"), &json!("{\"build\":42}"))
        );
        assert!(newest[0]["at"].as_str().is_some_and(|at| at.ends_with('Z')));
        let read = json!({ "stream": "all", "group": "g", "consumer": "c" });
        let batch = asker.done("events.read", read.clone()).await;
        assert_eq!(
            (&batch["outcome"], &batch["entries"][0]["id"], &batch["entries"][0]["deliveries"]),
            (&json!("read"), &id, &json!(1))
        );
        assert_eq!(asker.done("events.read", read).await["outcome"], "empty");
        let groups = asker.done("events.groups", json!({ "stream": "all" })).await;
        assert_eq!((&groups[0]["group"], &groups[0]["pending"]), (&json!("g"), &json!(1)));

        let (status, why) = asker
            .refused("events.ack", json!({ "stream": "all", "group": "g", "consumer": "other", "ids": [id] }))
            .await;
        assert_eq!(
            (status, &why["outcome"], &why["stale"], &why["acked"]),
            (409, &json!("stale"), &json!([id]), &json!(0))
        );
        let back =
            |consumer: &str| json!({ "stream": "all", "group": "g", "consumer": consumer, "ids": [id] });
        let (_, why) = asker.refused("events.nack", back("other")).await;
        assert_eq!((&why["outcome"], &why["nacked"]), (&json!("stale"), &json!(0)));
        let given = asker.done("events.nack", back("c")).await;
        assert_eq!(given, json!({ "outcome": "nacked", "nacked": 1, "stale": [] }));
        let again = json!({ "stream": "all", "group": "g", "consumer": "d" });
        assert_eq!(
            asker.done("events.read", again).await["entries"][0]["id"],
            id,
            "it is delivered again at once"
        );
        let acked = asker.done("events.ack", json!({ "stream": "all", "group": "g", "ids": [id] })).await;
        assert_eq!(acked, json!({ "outcome": "acked", "acked": 1, "stale": [] }));
        let all = asker.done("events.ls", json!({})).await;
        assert_eq!(
            (&all[0]["stream"], &all[0]["length"], &all[0]["groups"]),
            (&json!("events:all"), &json!(1), &json!(["g"]))
        );
        assert_eq!(asker.done("events.losses", json!({})).await, json!([]));
        assert_eq!(asker.done("events.loss_log", json!({})).await, json!([]));
        let gone = json!({ "stream": "all", "group": "g" });
        assert_eq!(asker.done("events.forget", gone.clone()).await["outcome"], "forgotten");
        let (status, why) = asker.refused("events.forget", gone).await;
        assert_eq!((status, &why["code"]), (404, &json!("no_group")));
    })
    .await;
}

#[tokio::test]
async fn an_observation_passes_the_gate_once() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let one = json!({ "content": "slow", "topic": "t" });
        let id = asker.done("observations.submit", one.clone()).await["id"].clone();
        let (status, why) = asker.refused("observations.submit", one).await;
        assert_eq!(
            (status, &why["outcome"], &why["code"], &why["reason"]),
            (409, &json!("rejected"), &json!("duplicate"), &json!("duplicate"))
        );
        assert_eq!(asker.done("observations.ls", json!({})).await[0]["fields"]["content"], "slow");
        let batch = asker.done("observations.read", json!({ "consumer": "c" })).await;
        assert_eq!(batch["entries"][0]["id"], id);
        let rejected =
            asker.done("observations.reject", json!({ "id": id, "reason": "vague", "consumer": "c" })).await;
        assert_eq!((&rejected["outcome"], &rejected["original_id"]), (&json!("rejected"), &id));
        let revived = asker.done("observations.revive", json!({ "id": rejected["id"] })).await;
        assert_eq!(revived["outcome"], "revived");
        asker.done("observations.read", json!({ "consumer": "c" })).await;
        let acked = asker.done("observations.ack", json!({ "ids": [revived["id"]], "consumer": "c" })).await;
        assert_eq!(acked["acked"], 1);
        let dead = asker.done("observations.ls", json!({ "dead": true })).await;
        let dropped = asker.done("observations.drop", json!({ "id": dead[0]["id"] })).await;
        assert_eq!(dropped, json!({ "outcome": "dropped", "dropped": 1 }));
        asker
            .bad(
                "observations.submit",
                &[json!({}), json!({ "content": "" }), json!({ "content": "x".repeat(65_537) })],
            )
            .await;
        asker.bad("observations.revive", &[json!({ "id": "x" })]).await;
    })
    .await;
}

#[tokio::test]
async fn a_record_is_sent_and_found() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let record = json!({ "service": "indexer", "message": "slow disk", "level": "warn", "target": "io", "fields": { "ms": 4 } });
        assert_eq!(asker.done("logs.emit", record).await, json!({ "outcome": "sent" }));
        asker.done("logs.emit", json!({ "service": "indexer", "message": "fine" })).await;
        let found = asker.done("logs.tail", json!({ "service": "indexer", "level": "warn", "since": "1h" })).await;
        assert_eq!(found.as_array().map(Vec::len), Some(1));
        let one = without(found[0].clone(), &["ts", "host", "pid"]);
        assert_eq!(one, json!({ "v": 0, "service": "indexer", "level": "warn", "target": "io", "msg": "slow disk", "fields": { "ms": 4 } }));
        let services = asker.done("logs.ls", json!({})).await;
        assert_eq!((&services[0]["service"], &services[0]["records"]), (&json!("indexer"), &json!(2)));
        asker.bad("logs.emit", &[json!({ "service": "a b", "message": "x" }), json!({ "service": "a", "message": "x", "level": "loud" })]).await;
    })
    .await;
}

#[tokio::test]
async fn nobody_says_or_reads_anything_in_the_name_of_another() {
    quorate_testkit::check(&[], async |bench| {
        let own = Asker::on(bench).await.bound("a");
        for (action, input) in [
            ("events.publish", json!({ "stream": "all", "event": "e", "source": "b" })),
            ("events.read", json!({ "stream": "all", "group": "g", "consumer": "b" })),
            ("observations.submit", json!({ "content": "x", "source": "b" })),
        ] {
            assert!(matches!(own.fault(action, input).await, Fault::NotYours(_)), "{action}");
        }
        own.done("events.publish", json!({ "stream": "task", "event": "e" })).await;
        assert_eq!(own.done("events.newest", json!({ "stream": "task" })).await[0]["fields"]["source"], "a");
        own.bad(
            "events.publish",
            &[
                json!({ "stream": "wake", "event": "e" }),
                json!({ "stream": "nowhere", "event": "e" }),
                json!({ "stream": "all", "event": "" }),
                json!({ "stream": "all", "event": "e", "payload": "{" }),
                json!({ "stream": "all", "event": "e", "payload": "{\"a\":1,\"a\":2}" }),
            ],
        )
        .await;
        own.bad(
            "events.ack",
            &[
                json!({ "stream": "all", "group": "g", "ids": [] }),
                json!({ "stream": "all", "group": "g", "ids": ["x"] }),
            ],
        )
        .await;
        own.bad(
            "events.read",
            &[
                json!({ "stream": "all", "group": "a b", "consumer": "a" }),
                json!({ "stream": "all", "group": "g", "consumer": "a", "start": "x" }),
            ],
        )
        .await;
    })
    .await;
}
