//! Workflows, by name.

use serde_json::{Value, json};

use crate::support::Asker;

fn shards() -> Value {
    json!({ "workflow": "w", "topology": { "entry": ["cut"], "stages": [
        { "name": "cut", "allowed_next_stages": ["part", "merge"] },
        { "name": "part", "allowed_next_stages": ["merge"], "dedup_key_fields": ["n"],
          "payload_schema": { "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] } },
        { "name": "merge", "terminal": true, "join": { "rule": "all" } } ] } })
}

#[tokio::test]
async fn a_run_is_cut_into_parts_and_joined_again() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let defined = asker.done("workflows.define", shards()).await;
        assert_eq!(defined, json!({ "outcome": "defined", "workflow": "w", "version": 1 }));
        let start = json!({ "workflow": "w", "task": "t", "payload": { "rows": 3 } });
        asker.named("s").done("workflows.start", start.clone()).await;
        asker.named("s").done("workflows.start", start.clone()).await;
        let (status, why) = asker.refused("workflows.start", start).await;
        assert_eq!((status, &why["code"]), (409, &json!("run_exists")));

        let cut = asker.done("workflows.enter", json!({ "task": "t", "stage": "cut" })).await["attempt"].clone();
        let next: Vec<Value> = (0..3).map(|n| json!({ "stage": "part", "payload": { "n": n } })).collect();
        let wrong = json!({ "task": "t", "stage": "cut", "attempt": cut, "next": [{ "stage": "part", "payload": {} }] });
        let (status, why) = asker.refused("workflows.complete", wrong).await;
        assert_eq!((status, &why["code"]), (422, &json!("bad_payload")));
        let done = asker.done("workflows.complete", json!({ "task": "t", "stage": "cut", "attempt": cut, "next": next })).await;
        assert_eq!(done["next"].as_array().map(Vec::len), Some(3));
        asker.done("workflows.expect", json!({ "task": "t", "stage": "merge", "branches": ["p0", "p1", "p2"] })).await;
        for n in 0..3 {
            let enter = json!({ "task": "t", "stage": "part", "payload": { "n": n }, "lease": "1m" });
            let attempt = asker.done("workflows.enter", enter.clone()).await["attempt"].clone();
            assert_eq!(asker.refused("workflows.enter", enter).await.1["code"], "in_flight");
            asker.done("workflows.extend", json!({ "task": "t", "stage": "part", "attempt": attempt })).await;
            let next = json!([{ "stage": "merge", "branch": format!("p{n}"), "payload": n }]);
            let said = json!({ "task": "t", "stage": "part", "attempt": attempt, "next": next });
            let done = asker.done("workflows.complete", said).await;
            assert_eq!(done["next"][0]["outcome"], if n < 2 { "waiting" } else { "fired" });
        }
        let run = asker.done("workflows.run", json!({ "task": "t" })).await;
        assert_eq!(run["joins"][0]["results"], json!({ "p0": 0, "p1": 1, "p2": 2 }));
        let last = asker.done("workflows.enter", json!({ "task": "t", "stage": "merge" })).await["attempt"].clone();
        let failed = asker.done("workflows.fail", json!({ "task": "t", "stage": "merge", "attempt": last, "error": "x" })).await;
        assert_eq!(failed, json!({ "outcome": "failed", "state": "failed" }));
        assert_eq!(asker.done("workflows.runs", json!({ "state": "failed" })).await[0]["error"], "merge: x");
        assert_eq!(asker.done("workflows.explain", json!({ "task": "t" })).await["waits"], json!([]));
    })
    .await;
}

#[tokio::test]
async fn what_makes_no_sense_is_bad_input_and_another_agent_is_not_spoken_for() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker
            .bad(
                "workflows.define",
                &[
                    json!({ "workflow": "w", "topology": { "entry": [], "stages": [] } }),
                    json!({ "workflow": "runs", "topology": shards()["topology"] }),
                    json!({ "workflow": "w" }),
                ],
            )
            .await;
        asker.done("workflows.define", shards()).await;
        asker
            .bad(
                "workflows.start",
                &[
                    json!({ "workflow": "w", "task": "a:b" }),
                    json!({ "workflow": "w", "task": "t", "payload": "{" }),
                ],
            )
            .await;
        asker.bad("workflows.complete", &[json!({ "task": "t", "stage": "cut", "attempt": "1.x" })]).await;
        asker.bad("workflows.expect", &[json!({ "task": "t", "stage": "merge", "branches": [] })]).await;
        let enter = json!({ "task": "t", "stage": "cut", "agent": "b" });
        let fault = asker.bound("a").fault("workflows.enter", enter).await;
        assert!(matches!(fault, quorate_verbs::Fault::NotYours(_)), "{fault:?}");
        for (action, input) in [
            ("workflows.show", json!({ "workflow": "x" })),
            ("workflows.run", json!({ "task": "t" })),
            ("workflows.arrive", json!({ "task": "t", "stage": "merge", "branch": "p" })),
        ] {
            assert_eq!(asker.refused(action, input).await.0, 404, "{action}");
        }
    })
    .await;
}
