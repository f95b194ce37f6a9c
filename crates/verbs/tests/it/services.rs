//! Services, by name.

use serde_json::{Value, json};

use crate::support::{Asker, without};

fn wanted(name: &str, url: &str) -> Value {
    json!({ "service_id": name, "base_url": url, "environment": "dev", "tags": ["core", " core ", ""] })
}

#[tokio::test]
async fn a_service_is_registered_shown_changed_and_deleted() {
    quorate_testkit::check(&quorate_plane::invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let named = asker.named("request-1");
        let made = named.done("services.register", wanted("pay", "HTTPS://8.8.8.8:443/")).await;
        assert_eq!(made, named.done("services.register", wanted("pay", "HTTPS://8.8.8.8:443/")).await, "a repetition");
        let kept = json!({ "service_id": "pay", "name": "pay", "base_url": "https://8.8.8.8", "environment": "dev", "tags": ["core"],
            "auth_mode": "internal_network", "status": "registered", "capabilities": null, "last_seen_at": null, "log_config": null,
            "metrics_config": null, "trace_config": null });
        assert_eq!(without(made, &["outcome"]), kept);
        for (input, code) in [(wanted("pay", "https://8.8.4.4"), "service_exists"), (wanted("two", "https://8.8.8.8/"), "url_taken")] {
            let (status, why) = asker.refused("services.register", input).await;
            assert_eq!((status, &why["code"]), (409, &json!(code)));
        }
        let mut fares = kept.clone();
        (fares["overall_status"], fares["last_checked_at"], fares["last_event_at"]) = (json!("degraded"), Value::Null, Value::Null);
        fares["reasons"] = json!(["nobody knows how its workers are", "it has not been asked yet", "no event of it is known"]);
        assert_eq!(asker.done("services.ls", json!({ "environment": "dev" })).await, json!([fares]));
        assert_eq!(asker.done("services.ls", json!({ "environment": "prod" })).await, json!([]));
        let shown = asker.done("services.show", json!({ "service_id": "pay" })).await;
        assert_eq!((&shown["health"]["overall_status"], &shown["feed"]["gaps"]), (&json!("degraded"), &json!(0)));
        let changed = asker.done("services.update", json!({ "service_id": "pay", "name": "Payments", "status": "unavailable" })).await;
        assert_eq!((&changed["name"], &changed["status"]), (&json!("Payments"), &json!("unavailable")));
        for (verb, status) in [("services.disable", "disabled"), ("services.enable", "registered")] {
            assert_eq!(asker.done(verb, json!({ "service_id": "pay" })).await["status"], status);
        }
        let gone = asker.named("request-2").done("services.delete", json!({ "service_id": "pay" })).await;
        assert_eq!(gone, json!({ "outcome": "deleted", "service_id": "pay", "left": 0 }));
        for verb in ["show", "delete", "health", "check", "refresh", "pull", "events", "disable"] {
            let (status, why) = asker.refused(&format!("services.{verb}"), json!({ "service_id": "pay" })).await;
            assert_eq!((status, &why["code"]), (404, &json!("no_service")), "{verb}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_can_never_be_a_service_or_a_change_of_one_is_bad_input() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let with = |field: &str, value: Value| {
            let mut input = wanted("pay", "https://8.8.8.8");
            input[field] = value;
            input
        };
        let bad = [
            with("service_id", json!("search")),
            with("service_id", json!("a:b")),
            with("service_id", json!("")),
            with("environment", json!("a b")),
            with("base_url", json!("https://ada:sesame@8.8.8.8")),
            with("base_url", json!("https://8.8.8.8/?q=1")),
            with("base_url", json!("http://0x7f000001")),
            with("name", json!("\u{1b}[2J")),
            with("tags", json!(["x".repeat(300)])),
            with("log_config", json!("text")),
        ];
        asker.bad("services.register", &bad).await;
        let (status, why) = asker.refused("services.register", wanted("pay", "http://127.0.0.1:7770")).await;
        assert_eq!((status, &why["code"]), (422, &json!("url_denied")));
        asker.done("services.register", wanted("pay", "https://8.8.8.8")).await;
        let changes = [json!({ "service_id": "pay", "status": "healthy" }), json!({ "service_id": "pay" })];
        asker.bad("services.update", &changes).await;
    })
    .await;
}

#[tokio::test]
async fn events_are_pushed_where_that_is_allowed_and_counted() {
    quorate_testkit::check(&quorate_plane::invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        asker.done("services.register", wanted("pay", "https://8.8.8.8")).await;
        let event = |id: &str| json!({ "task_id": "t", "event_type": "status.queued", "source_kind": "status", "event_id": id, "payload": { "n": 1 } });
        let pushed = json!({ "events": [{ "service_id": "pay", "event": event("1") }, { "service_id": "pay", "event": event("1") },
            { "service_id": "nobody", "event": event("2") }, { "service_id": "pay", "event": { "task_id": "t" } }] });
        let (status, why) = asker.refused("services.ingest", pushed.clone()).await;
        assert_eq!((status, &why["code"]), (403, &json!("push_disabled")));
        let setting = bench.scope.keys.ade().config(&"studio_push_ingest_enabled".parse().unwrap());
        bench.cli(&format!("SET {setting} true")).await;
        tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
        assert_eq!(asker.done("services.ingest", pushed).await, json!({ "inserted": 1, "duplicate": 1, "invalid": 2 }));
        let page = asker.done("services.events", json!({ "service_id": "pay", "task_id": "t" })).await;
        assert_eq!((&page["count"], &page["items"][0]["dedupe_key"]), (&json!(1), &json!("pay:status:1")));
        let (status, why) = asker.refused("services.events", json!({ "service_id": "pay", "before": "x" })).await;
        assert_eq!((status, &why["code"]), (404, &json!("unknown_cursor")));
    })
    .await;
}
