//! Webhooks, by name.

use serde_json::{Value, json};

use crate::support::{Asker, without};

#[tokio::test]
async fn a_webhook_is_added_shown_without_its_secret_and_removed() {
    quorate_testkit::check(&quorate_plane::invariants(), async |bench| {
        let asker = Asker::on(bench).await;
        let wanted = json!({ "url": "HTTPS://8.8.8.8:443/In/", "events": ["task:*"], "streams": ["task"] });
        let named = asker.named("request-1");
        let made = named.done("webhooks.add", wanted.clone()).await;
        assert_eq!(made, named.done("webhooks.add", wanted).await, "a repetition gets the first answer");
        let (id, secret) = (made["id"].clone(), made["secret"].as_str().expect("a secret").to_owned());
        assert_eq!(
            without(made, &["id", "secret", "created_at", "streams"]),
            json!({ "outcome": "added", "url": "https://8.8.8.8/In", "events": ["task:*"],
                "by": "tester", "delivered": 0, "failed": 0, "streak": 0 })
        );
        let listed = asker.done("webhooks.ls", json!({})).await;
        let shown = asker.done("webhooks.show", json!({ "id": id })).await;
        assert_eq!(listed, json!([shown]));
        assert!(!shown.to_string().contains(&secret));
        let gone = asker.named("request-2").done("webhooks.rm", json!({ "id": id })).await;
        assert_eq!(gone, json!({ "outcome": "removed", "id": id, "url": "https://8.8.8.8/In" }));
        for (verb, input) in [("webhooks.show", &id), ("webhooks.rm", &id), ("webhooks.test", &id)] {
            let (status, why) = asker.refused(verb, json!({ "id": input })).await;
            assert_eq!((status, &why["code"]), (404, &json!("no_webhook")), "{verb}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_address_that_must_not_be_called_is_refused_and_one_that_is_none_is_bad_input() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        for url in [
            "http://127.0.0.1:7770",
            "http://[::ffff:10.0.0.1]",
            "http://169.254.169.254",
            "http://8.8.8.8:6379",
        ] {
            let (status, why) = asker.refused("webhooks.add", json!({ "url": url })).await;
            assert_eq!((status, &why["code"]), (422, &json!("url_denied")), "{url}");
        }
        let with = |field: &str, value: Value| {
            let mut input = json!({ "url": "https://8.8.8.8" });
            input[field] = value;
            input
        };
        let bad = [
            with("url", json!("http://2130706433/")),
            with("url", json!("https://ada:sesame@example.org")),
            with("url", json!("file:///etc/passwd")),
            with("url", json!("")),
            with("events", json!(["a b"])),
            with("events", json!(vec!["a"; 33])),
            with("streams", json!(["nothing"])),
            with("streams", json!(["wake"])),
            with("secret", json!("whsec_short")),
        ];
        asker.bad("webhooks.add", &bad).await;
        let fault = asker.fault("webhooks.add", with("secret", json!("whsec_sesame!"))).await;
        assert!(!fault.to_string().contains("sesame"), "{fault}");
        assert_eq!(asker.done("webhooks.ls", json!({})).await, json!([]));
    })
    .await;
}
