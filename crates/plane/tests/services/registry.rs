//! Who is registered.

use std::time::Duration;

use quorate_catalog::ids::EnvironmentId;
use quorate_plane::services::{ByHand, Change, Status};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::check;
use serde_json::json;

use super::support::{Fake, change, code, event, id, ingest, plane, register, text, texts, wanted};

#[tokio::test]
async fn a_service_is_registered_changed_and_deleted_with_everything_of_it() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let made = register(&plane, "pay", "HTTPS://8.8.8.8:443/Api/").await;
        assert_eq!((made.base_url.as_str(), made.status), ("https://8.8.8.8/Api", Status::Registered));
        let moved = Change { base_url: Some("https://8.8.4.4".parse().unwrap()), ..Change::default() };
        assert_eq!(change(&plane, "pay", moved).await.unwrap().base_url, "https://8.8.4.4");
        assert_eq!(texts(bench, "KEYS *by-env-url*").await.len(), 1, "the old place is free");
        register(&plane, "other", "https://8.8.8.8/Api").await;
        for number in 0..5 {
            ingest(&plane, "pay", event(number)).await;
        }
        assert_eq!(plane.services().delete(&id("pay")).await.unwrap().unwrap().left, 0);
        let left = texts(bench, "KEYS *").await;
        assert!(!left.iter().any(|key| key.contains("pay")), "{left:?}");
        assert_eq!(code(&plane.services().show(&id("pay")).await.unwrap()), "no_service");
        assert_eq!(code(&plane.services().delete(&id("pay")).await.unwrap()), "no_service");
        register(&plane, "pay", "https://8.8.4.4").await;
    })
    .await;
}

/// The history of a service is shorter than those of its tasks together; what only these name goes too.
#[tokio::test]
async fn a_deletion_takes_events_along_that_only_their_task_names() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let maxlen = bench.scope.keys.ade().config(&"studio_event_history_maxlen".parse().unwrap());
        bench.cli(&format!("SET {maxlen} 3")).await;
        register(&plane, "pay", "https://8.8.4.4").await;
        for number in 0..6 {
            let mut one = event(number);
            one["task_id"] = format!("both{}", number % 2).into();
            ingest(&plane, "pay", one).await;
        }
        assert_eq!(plane.services().delete(&id("pay")).await.unwrap().unwrap().left, 0);
        let left = texts(bench, "KEYS *").await;
        assert!(!left.iter().any(|key| key.contains("pay")), "{left:?}");
    })
    .await;
}

/// The table of what is one place, and of what is none.
#[tokio::test]
async fn one_place_has_one_service_however_it_is_spelled() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        register(&plane, "first", "http://example.com/api").await;
        for same in [
            "HTTP://EXAMPLE.com/api",
            "http://example.com/api/",
            "http://example.com:80/api",
            "http://example.com./api//",
        ] {
            let second = plane.services().register(&wanted("second", same)).await.unwrap();
            assert_eq!(
                second.refusal().map(|why| (why.code.as_str(), why.detail.as_deref())),
                Some(("url_taken", Some("first"))),
                "{same}"
            );
        }
        for other in [
            "https://example.com/api",
            "http://example.com/API",
            "http://example.com:8080/api",
            "http://example.com",
        ] {
            register(&plane, "second", other).await;
            plane.services().delete(&id("second")).await.unwrap().unwrap();
        }
        let elsewhere = quorate_plane::services::NewService {
            environment: EnvironmentId::parse("prod").unwrap(),
            ..wanted("second", "http://example.com/api")
        };
        plane.services().register(&elsewhere).await.unwrap().unwrap();
        let back = Change { environment: Some(EnvironmentId::parse("dev").unwrap()), ..Change::default() };
        assert_eq!(code(&change(&plane, "second", back).await), "url_taken");
        assert_eq!(plane.services().ls(Some(&EnvironmentId::parse("prod").unwrap())).await.unwrap().len(), 1);
        assert_eq!(plane.services().ls(None).await.unwrap().len(), 2);
        for bad in [
            "http://ada:sesame@example.com",
            "http://example.com/?q",
            "http://example.com/#f",
            "ftp://example.com",
        ] {
            assert!(bad.parse::<quorate_plane::services::Address>().is_err(), "{bad}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_register_one_place_at_once_one_has_it() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for round in 0..8 {
            let url = format!("http://example.com/{round}");
            let all = (0..16).map(|number| {
                let (plane, wanted) = (plane.clone(), wanted(&format!("s{round}-{number}"), &url));
                tokio::spawn(async move { plane.services().register(&wanted).await.unwrap() })
            });
            let ended = futures_util::future::join_all(all).await;
            let codes: Vec<Outcome<_>> = ended.into_iter().map(Result::unwrap).collect();
            assert_eq!(codes.iter().filter(|outcome| outcome.refusal().is_none()).count(), 1);
            assert!(codes.iter().all(|outcome| matches!(code(outcome), "" | "url_taken")), "{codes:?}");
        }
    })
    .await;
}

/// X4: where a service answers is asked of the guard when it is registered, when it is changed, and before every call.
#[tokio::test]
async fn what_must_not_be_called_is_not_registered_and_not_called_when_the_rules_change() {
    check(&invariants(), async |bench| {
        let strict = Plane::new(bench.scope.clone()).unwrap();
        let fake = Fake::start().await;
        for url in [
            "http://127.0.0.1:80",
            "http://[::1]",
            "http://169.254.169.254",
            "http://10.0.0.1:8000",
            "http://8.8.8.8:6379",
            "http://metadata.google.internal",
        ] {
            let refused = strict.services().register(&wanted("pay", url)).await.unwrap();
            assert_eq!(code(&refused), "url_denied", "{url}");
        }
        let logs = json!({ "provider": "loki", "base_url": "http://127.0.0.1:3100", "service_selector_labels": { "app": "pay" } });
        let behind =
            quorate_plane::services::NewService { log_config: Some(logs), ..wanted("pay", "http://8.8.8.8") };
        assert_eq!(code(&strict.services().register(&behind).await.unwrap()), "url_denied");
        register(&plane(bench), "pay", &fake.url()).await;
        let health = strict.services().check(&id("pay")).await.unwrap().unwrap();
        assert!(health.http_status.error_detail.unwrap().contains("not called"));
        strict.services().pull(&id("pay")).await.unwrap().unwrap();
        strict.services().task(&id("pay"), &super::support::task("t")).await.unwrap().unwrap();
        assert_eq!(fake.asked(), Vec::<String>::new());
        // A redirect is no answer, and is not followed.
        fake.answers_all(Some(302));
        let health = plane(bench).services().check(&id("pay")).await.unwrap().unwrap();
        assert_eq!(health.http_status.error_detail.as_deref(), Some("HTTP 302"));
    })
    .await;
}

#[tokio::test]
async fn healthy_is_only_what_answered_and_disabled_survives_a_refresh() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        assert!(serde_json::from_value::<ByHand>(json!("healthy")).is_err());
        assert_eq!(plane.services().refresh(&id("pay")).await.unwrap().unwrap().status, Status::Healthy);
        let off = || Change { status: Some(ByHand::Disabled), ..Change::default() };
        change(&plane, "pay", off()).await.unwrap();
        fake.asked();
        assert_eq!(plane.services().refresh(&id("pay")).await.unwrap().unwrap().status, Status::Disabled);
        plane.services().check(&id("pay")).await.unwrap().unwrap();
        assert_eq!(fake.asked(), Vec::<String>::new(), "nobody calls it");
        let away = Change { status: Some(ByHand::Unavailable), ..Change::default() };
        change(&plane, "pay", away).await.unwrap();
        plane.services().check(&id("pay")).await.unwrap().unwrap();
        let shown = plane.services().show(&id("pay")).await.unwrap().unwrap();
        assert_eq!(shown.status, Status::Unavailable, "what an operator said is not undone by a look");
        fake.answers_all(Some(503));
        assert_eq!(code(&plane.services().refresh(&id("pay")).await.unwrap()), "service_failed");
    })
    .await;
}

/// Relayna 1.4.3: a service called `search` hid the search of services.
#[tokio::test]
async fn a_service_cannot_have_the_name_of_an_address_of_the_registry() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for name in ["search", "ingest", "failed"] {
            assert!(plane.services().register(&wanted(name, "http://example.com")).await.is_err(), "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_deletion_that_was_cut_off_is_carried_on_by_whoever_comes_next() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        register(&plane, "pay", "http://example.com").await;
        for number in 0..450 {
            ingest(&plane, "pay", event(number)).await;
        }
        // What a process leaves that dies after its first step.
        let keys = bench.scope.keys.quorate();
        let store = quorate_catalog::ids::TaskStore::parse("studio:services").unwrap();
        let seed = bench.scope.keys.relayna();
        bench.cli(&format!("ZADD {} 1 pay", keys.services_leaving(&store))).await;
        let place = texts(bench, "KEYS *by-env-url*").await.remove(0);
        let gone = [seed.service(&id("pay")), seed.service_latest_status(&id("pay")), seed.service_latest_ingested(&id("pay"))];
        bench.cli(&format!("DEL {} {} {} {place}", gone[0], gone[1], gone[2])).await;
        bench.cli(&format!("SREM {} pay", seed.service_index())).await;
        let again = plane.services().register(&wanted("pay", "http://example.com")).await.unwrap();
        assert_eq!(code(&again), "service_leaving", "not while its old events are there");
        let clear = async {
            while !texts(bench, "KEYS studio:events:*").await.is_empty() || text(bench, &format!("EXISTS {}", keys.services_leaving(&store))).await == "1" {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let work = quorate_plane::maintenance::run(&plane, |_| ());
        tokio::select! {
            () = work => unreachable!("it works until it is dropped"),
            cleared = tokio::time::timeout(Duration::from_secs(15), clear) => cleared.expect("it is cleared away"),
        }
        register(&plane, "pay", "http://example.com").await;
    })
    .await;
}
