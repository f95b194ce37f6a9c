//! Jobs, limits, what was seen, counters and the catalog, by name.

use quorate_verbs::Fault;
use serde_json::json;

use crate::support::{Asker, without};

#[tokio::test]
async fn a_job_is_scheduled_once_shown_run_and_cancelled() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let daily = json!({ "queue": "job:lock_cleanup", "payload": "p", "id": "daily", "cron": "0 8 * * *", "zone": "Europe/Berlin" });
        let done = asker.named("r1").done("jobs.schedule", daily.clone()).await;
        assert_eq!(done["id"], "daily");
        assert_eq!(asker.named("r1").done("jobs.schedule", daily.clone()).await, done);
        let (status, why) = asker.refused("jobs.schedule", daily).await;
        assert_eq!((status, &why["code"]), (409, &json!("job_exists")));
        let soon = json!({ "queue": "lock_cleanup", "payload": "p", "in": "1h" });
        let one = asker.named("r2").done("jobs.schedule", soon.clone()).await;
        assert_eq!(asker.named("r2").done("jobs.schedule", soon).await["id"], one["id"], "a random name, and the same again");
        assert_eq!(asker.done("jobs.ls", json!({})).await["jobs"].as_array().map(Vec::len), Some(2));
        let queued = asker.done("jobs.run", json!({ "job": "daily" })).await;
        assert_eq!(without(queued, &["id"]), json!({ "outcome": "queued" }));
        let shown = asker.done("jobs.show", json!({ "job": "daily" })).await;
        assert_eq!((&shown["zone"], &shown["runs"][0]["state"]), (&json!("Europe/Berlin"), &json!("queued")));
        assert_eq!(asker.done("jobs.cancel", json!({ "job": "daily" })).await, json!({ "outcome": "cancelled", "id": "daily" }));
        for action in ["jobs.show", "jobs.run", "jobs.cancel"] {
            let (status, why) = asker.refused(action, json!({ "job": "none" })).await;
            assert_eq!((status, &why["code"]), (404, &json!("no_job")), "{action}");
        }
        let plan = |more: serde_json::Value| {
            let mut plan = json!({ "queue": "job:lock_cleanup", "payload": "p" });
            plan.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
            plan
        };
        asker
            .bad(
                "jobs.schedule",
                &[
                    plan(json!({})),
                    plan(json!({ "in": "1h", "cron": "* * * * *" })),
                    plan(json!({ "at": "tomorrow" })),
                    plan(json!({ "cron": "61 * * * *" })),
                    plan(json!({ "cron": "* * * * *", "zone": "Nowhere/Land" })),
                    plan(json!({ "in": "1h", "zone": "UTC" })),
                    plan(json!({ "in": "1h", "overlap": "maybe" })),
                    plan(json!({ "in": "1h", "id": "a:b" })),
                    json!({ "queue": "job:a b", "payload": "p", "in": "1h" }),
                ],
            )
            .await;
    })
    .await;
}

#[tokio::test]
async fn a_limit_lets_so_much_through_and_then_says_when() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let set = asker.done("limits.set", json!({ "endpoint": "tasks:create", "rule": "2/1m" })).await;
        assert_eq!(
            set,
            json!({ "endpoint": "tasks:create", "limit": 2, "window_ms": 60_000, "outcome": "set" })
        );
        assert_eq!(
            asker.done("limits.ls", json!({})).await,
            json!([{ "endpoint": "tasks:create", "limit": 2, "window_ms": 60_000 }])
        );
        let one = json!({ "limits": ["tasks:create/alice*2"] });
        let taken = asker.done("limits.check", one.clone()).await;
        assert_eq!(
            (&taken["outcome"], &taken["allowed"], &taken["remaining"]),
            (&json!("allowed"), &json!(true), &json!(0))
        );
        let (status, why) = asker.refused("limits.check", one.clone()).await;
        assert_eq!(
            (status, &why["outcome"], &why["code"], &why["allowed"]),
            (429, &json!("limited"), &json!("limited"), &json!(false))
        );
        assert_eq!(
            (&why["tightest"], why["retry_after"].as_u64().is_some_and(|s| s > 0)),
            (&json!("tasks:create/alice"), true)
        );
        assert_eq!(asker.done("limits.explain", one).await["outcome"], "explained");
        assert_eq!(
            asker.done("limits.unset", json!({ "endpoint": "tasks:create" })).await,
            json!({ "outcome": "unset", "endpoint": "tasks:create" })
        );
        assert!(matches!(
            asker.fault("limits.unset", json!({ "endpoint": "tasks:create" })).await,
            Fault::NotFound(_)
        ));
        asker
            .bad(
                "limits.check",
                &[
                    json!({}),
                    json!({ "limits": [] }),
                    json!({ "limits": ["x"] }),
                    json!({ "limits": ["a/b", "a/b"] }),
                    json!({ "limits": ["a/b"], "rule": "0/1m" }),
                ],
            )
            .await;
        asker
            .bad(
                "limits.set",
                &[json!({ "endpoint": "a", "rule": "5" }), json!({ "endpoint": "a", "rule": "5/31d" })],
            )
            .await;
    })
    .await;
}

#[tokio::test]
async fn the_first_is_told_and_a_counter_counts() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let what = json!({ "scope": "s", "content": "c", "window": "1h" });
        let first = asker.named("r1").done("dedupe.check", what.clone()).await;
        assert_eq!((&first["outcome"], &first["scope"]), (&json!("first"), &json!("s")));
        assert_eq!(
            asker.named("r1").done("dedupe.check", what.clone()).await["outcome"],
            "first",
            "the same request"
        );
        let hash = json!({ "scope": "s", "hash": first["hash"] });
        assert_eq!(asker.done("dedupe.check", hash.clone()).await["outcome"], "duplicate");
        assert_eq!(
            asker.done("dedupe.forget", hash.clone()).await,
            json!({ "outcome": "forgotten", "scope": "s", "hash": first["hash"] })
        );
        assert!(matches!(asker.fault("dedupe.forget", hash).await, Fault::NotFound(_)));
        asker
            .bad(
                "dedupe.check",
                &[
                    json!({ "scope": "s" }),
                    json!({ "scope": "s", "content": "c", "hash": "h" }),
                    json!({ "scope": "s", "content": "c", "window": "0s" }),
                ],
            )
            .await;

        let raised = asker.done("metrics.incr", json!({ "counter": "builds", "by": 3 })).await;
        assert_eq!(raised, json!({ "outcome": "raised", "counter": "builds", "value": 3 }));
        assert_eq!(asker.done("metrics.incr", json!({ "counter": "builds", "by": -1 })).await["value"], 2);
        assert_eq!(asker.done("metrics.ls", json!({})).await, json!([{ "counter": "builds", "value": 2 }]));
        asker.bad("metrics.incr", &[json!({ "counter": "a b" }), json!({ "counter": "a", "by": "x" })]).await;
    })
    .await;
}

#[tokio::test]
async fn the_catalog_is_asked_by_family_and_by_key() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let hashes = asker.done("keys.ls", json!({ "system": "reverie", "kind": "hash" })).await;
        assert!(hashes.as_array().is_some_and(|all| all.iter().any(|family| family["family"] == "session")));
        let shown = asker.done("keys.show", json!({ "family": "reverie.session" })).await;
        assert_eq!(shown["pattern"], "sessions:<pid>");
        assert!(shown["fields"].is_array() && shown.get("groups").is_none());
        let key = bench.scope.keys.reverie().session(&"w".parse().unwrap());
        let found = asker.done("keys.which", json!({ "key": key.as_str() })).await;
        assert_eq!((&found["family"], &found["layout"]), (&json!("session"), &json!("plain")));
        for (action, input) in
            [("keys.show", json!({ "family": "nothing" })), ("keys.which", json!({ "key": "\u{1b}[2J" }))]
        {
            assert!(matches!(asker.fault(action, input).await, Fault::NotFound(_)), "{action}");
        }
        asker
            .bad("keys.ls", &[json!({ "system": "x" }), json!({ "kind": "x" }), json!({ "layout": "x" })])
            .await;
    })
    .await;
}
