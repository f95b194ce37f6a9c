//! A trace goes along with whatever one process hands to another.

use quorate_plane::trace::Trace;
use quorate_verbs::Call;
use serde_json::{Value, json};

use crate::support::Asker;

const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const STATE: &str = "vendor=a\u{20}b";

#[tokio::test]
async fn a_trace_goes_along_with_jobs_messages_and_events_and_only_with_them() {
    quorate_testkit::check(&quorate_plane::invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let trace = Trace::read(PARENT, Some(STATE));
        let traced = Asker { call: Call { trace, ..asker.call.clone() } };
        asker.registers(&["a", "b"]).await;
        let both = |one: &Value| (one["traceparent"].clone(), one["tracestate"].clone());
        let (with, without) = ((json!(PARENT), json!(STATE)), (Value::Null, Value::Null));

        // A plain item, one in a lane, and one that is due later; and then one without a trace.
        for more in [json!({}), json!({ "group": "g" }), json!({ "delay": "1ms", "max_attempts": 2 })] {
            let mut push = json!({ "queue": "normal", "payload": "x" });
            push.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            traced.done("queues.push", push.clone()).await;
            let claim = json!({ "queue": "normal", "agent": "a", "wait": "5s" });
            let claimed = asker.done("queues.claim", claim.clone()).await;
            assert_eq!(both(&claimed["items"][0]), with, "{push}");
            // It stays with the item when it fails.
            let token = claimed["items"][0]["token"].clone();
            asker
                .done(
                    "queues.nack",
                    json!({ "queue": "normal", "agent": "a", "token": token, "error": "e", "delay": "1ms" }),
                )
                .await;
            let again = asker.done("queues.claim", claim).await;
            assert_eq!((both(&again["items"][0]), &again["items"][0]["attempt"]), (with.clone(), &json!(2)));
            asker
                .done(
                    "queues.ack",
                    json!({ "queue": "normal", "agent": "a", "tokens": [again["items"][0]["token"]] }),
                )
                .await;
        }
        asker.done("queues.push", json!({ "queue": "low", "payload": "x" })).await;
        let claimed = asker.done("queues.claim", json!({ "queue": "low", "agent": "a" })).await;
        assert_eq!(both(&claimed["items"][0]), without);

        for (who, expected) in [(&traced, &with), (&asker, &without)] {
            who.done("messages.send", json!({ "from": "a", "to": "b", "text": "hi" })).await;
            let read = asker.done("messages.read", json!({ "agent": "b" })).await;
            let last =
                read["messages"].as_array().unwrap().iter().max_by_key(|one| one["sent_at"].to_string());
            assert_eq!(both(last.unwrap()), *expected, "{read}");
            who.done("events.publish", json!({ "stream": "all", "event": "x" })).await;
            let read = asker.done("events.newest", json!({ "stream": "all" })).await;
            let text = read.to_string();
            assert_eq!(text.contains(PARENT), text.contains(STATE), "{text}");
            let read =
                asker.done("events.read", json!({ "stream": "all", "group": "g", "consumer": "c" })).await;
            assert_eq!(both(&read["entries"][0]["fields"]), *expected, "{read}");
        }
    })
    .await;
}
