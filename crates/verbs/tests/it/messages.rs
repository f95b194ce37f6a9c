//! Who told whom what, by name.

use quorate_verbs::Fault;
use serde_json::json;

use crate::support::{Asker, without};

#[tokio::test]
async fn a_message_is_sent_read_and_acknowledged() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b"]).await;
        let sent = asker
            .done(
                "messages.send",
                json!({ "to": "b", "from": "a", "text": "hé\u{0}", "kind": "warn", "thread": "t1", "subject": "s",
                    "blob": { "n": 1 }, "ack_by": "1h" }),
            )
            .await;
        let id = sent["id"].as_str().expect("an id").to_owned();
        assert_eq!(without(sent, &["id", "sent_at"]), json!({ "outcome": "sent", "to": "b" }));
        let inbox = asker.done("messages.inbox", json!({ "agent": "b" })).await;
        assert_eq!((&inbox["waiting"], &inbox["unread"], &inbox["messages"][0]["body"]), (&json!(1), &json!(1), &json!("hé\u{0}")));
        let read = asker.done("messages.read", json!({ "agent": "b", "limit": 5 })).await;
        assert_eq!((&read["messages"][0]["id"], &read["messages"][0]["blob"]), (&json!(id), &json!({ "n": 1 })));
        let acked = asker.done("messages.ack", json!({ "agent": "b", "messages": [id], "acted_on": "task:1" })).await;
        assert_eq!((&acked["outcome"], &acked["messages"][0]["id"]), (&json!("acked"), &json!(id)));
        for which in [json!({ "agent": "a" }), json!({ "thread": "t1" }), json!({ "message": id })] {
            let found = asker.done("messages.history", which).await;
            assert_eq!(found["messages"][0]["state"], "acted");
        }
        let (status, why) = asker.refused("messages.ack", json!({ "agent": "b", "messages": [id, "none"] })).await;
        assert_eq!((status, &why["code"]), (404, &json!("no_message")));
        assert_eq!((&why["messages"][0]["outcome"], &why["messages"][1]["code"]), (&json!("acked"), &json!("no_message")));
        let (status, why) = asker.refused("messages.history", json!({ "message": "none" })).await;
        assert_eq!((status, &why["code"]), (404, &json!("no_message")));
    })
    .await;
}

#[tokio::test]
async fn a_broadcast_reaches_each_once_however_often_it_is_asked() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b", "c"]).await;
        let news = json!({ "from": "a", "text": "news" });
        let first = asker.named("r1").done("messages.broadcast", news.clone()).await;
        assert_eq!(
            (&first["outcome"], &first["sent"], &first["refused"]),
            (&json!("sent"), &json!(2), &json!(0))
        );
        // Somebody comes in between: the others keep their message, and he gets one.
        asker.registers(&["aa"]).await;
        let again = asker.named("r1").done("messages.broadcast", news).await;
        assert_eq!(again["sent"], 3);
        for agent in ["b", "c", "aa"] {
            assert_eq!(
                asker.done("messages.inbox", json!({ "agent": agent })).await["waiting"],
                1,
                "{agent}"
            );
        }
        let letter = json!({ "to": "b", "from": "a", "text": "x" });
        let one = asker.named("r2").done("messages.send", letter.clone()).await;
        let two = asker.named("r2").done("messages.send", letter).await;
        assert_eq!(one, two);
        assert_eq!(asker.done("messages.inbox", json!({ "agent": "b", "newest": true })).await["waiting"], 2);
    })
    .await;
}

#[tokio::test]
async fn every_inbox_is_counted_in_one_call_the_fullest_first() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let names: Vec<String> = (0..130).map(|at| format!("w{at:03}")).collect();
        asker.registers(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        for to in ["w129", "w001", "w129"] {
            asker.done("messages.send", json!({ "to": to, "from": "w000", "text": "x" })).await;
        }
        asker.done("messages.read", json!({ "agent": "w001" })).await;
        let all = asker.done("messages.inboxes", json!({})).await;
        assert_eq!((&all["waiting"], &all["unread"], &all["counted"]), (&json!(3), &json!(2), &json!(130)));
        let first = json!([{ "agent": "w129", "waiting": 2, "unread": 2 }, { "agent": "w001", "waiting": 1, "unread": 0 }]);
        assert_eq!(json!(&all["inboxes"].as_array().expect("a list")[..2]), first);
        assert_eq!(asker.done("messages.inboxes", json!({ "waiting": true })).await["inboxes"], first);
        let own = asker.bound("w001").done("messages.inboxes", json!({})).await;
        assert_eq!((&own["waiting"], &own["counted"]), (&json!(1), &json!(1)), "who is bound sees its own");
        assert!(matches!(asker.ask("messages.inboxes", json!({ "limit": 0 })).await, Err(Fault::BadInput { .. })));
    })
    .await;
}

#[tokio::test]
async fn nobody_speaks_or_reads_for_another() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b"]).await;
        let own = asker.bound("a");
        for (action, input) in [
            ("messages.send", json!({ "to": "b", "from": "b", "text": "x" })),
            ("messages.broadcast", json!({ "from": "b", "text": "x" })),
            ("messages.inbox", json!({ "agent": "b" })),
            ("messages.read", json!({ "agent": "b" })),
            ("messages.ack", json!({ "agent": "b", "messages": ["m"] })),
            ("messages.history", json!({ "agent": "b" })),
        ] {
            assert!(matches!(own.fault(action, input).await, Fault::NotYours(_)), "{action}");
        }
        own.done("messages.send", json!({ "to": "b", "from": "a", "text": "x" })).await;
        asker
            .bad(
                "messages.send",
                &[
                    json!({ "from": "a", "text": "x" }),
                    json!({ "to": "b", "text": "x" }),
                    json!({ "to": "b", "from": "a" }),
                    json!({ "to": "b c", "from": "a", "text": "x" }),
                    json!({ "to": "b", "from": "a", "text": "x".repeat(65_537) }),
                    json!({ "to": "b", "from": "a", "text": "x", "kind": "two words" }),
                    json!({ "to": "b", "from": "a", "text": "x", "ack_by": "31d" }),
                    json!({ "to": "b", "from": "a", "text": "x", "blob": 1 }),
                ],
            )
            .await;
        asker
            .bad(
                "messages.ack",
                &[json!({ "agent": "b", "messages": [] }), json!({ "agent": "b", "messages": ["a:b"] })],
            )
            .await;
        asker
            .bad(
                "messages.history",
                &[json!({}), json!({ "agent": "a", "thread": "t" }), json!({ "agent": "a", "limit": 0 })],
            )
            .await;
    })
    .await;
}

#[tokio::test]
async fn a_bound_caller_reads_only_threads_and_messages_it_takes_part_in() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b", "c"]).await;
        let say = json!({ "from": "a", "to": "b", "text": "between us", "thread": "plan" });
        let sent = asker.done("messages.send", say).await["id"].clone();
        asker.done("messages.send", json!({ "from": "b", "to": "a", "text": "yes", "thread": "plan" })).await;
        for (who, count) in
            [(&asker, 2), (&asker.bound("a"), 2), (&asker.bound("b"), 2), (&asker.bound("c"), 0)]
        {
            let read = who.done("messages.history", json!({ "thread": "plan" })).await;
            assert_eq!(read["messages"].as_array().map(Vec::len), Some(count), "{read}");
        }
        asker.bound("b").done("messages.history", json!({ "message": sent })).await;
        let (status, why) = asker.bound("c").refused("messages.history", json!({ "message": sent })).await;
        assert_eq!((status, &why["code"]), (404, &json!("no_message")), "as if it were not there");
    })
    .await;
}
