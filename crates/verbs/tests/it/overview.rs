//! The plane from above: what needs a person, how it has been, and what an id belongs to.

use std::sync::Arc;

use futures_util::future::join_all;
use quorate_plane::Plane;
use quorate_plane::tokens::{NewToken, Role};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Micros};
use quorate_testkit::Bench;
use quorate_verbs::{Call, Fault};
use serde_json::{Value, json};

use crate::support::Asker;

/// The same plane at another time.
fn at(bench: &Bench, second: u64) -> Asker {
    let store = bench.scope.store.with_clock(Clock::Fixed(Micros::new(second * 1_000_000)));
    let plane = Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap();
    Asker { call: Call::new(plane, "tester") }
}

async fn nouns(asker: &Asker, q: &str) -> Vec<String> {
    let found = asker.done("find.find", json!({ "q": q })).await;
    found["found"].as_array().unwrap().iter().map(|one| one["noun"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn of_many_processes_one_takes_each_sample_and_a_gap_stays_a_gap() {
    quorate_testkit::check(&[], async |bench| {
        let begin = bench.scope.store.time().await.unwrap().millis() / 30_000 * 30;
        at(bench, begin).done("queues.push", json!({ "queue": "normal", "payload": "x" })).await;
        let mut taken = Vec::new();
        for second in [begin, begin + 10, begin + 31, begin + 95] {
            let asker = at(bench, second);
            let all =
                join_all((0..8).map(|_| async { asker.call.plane.overview().sample().await.unwrap() })).await;
            taken.push(all.iter().filter(|own| **own).count());
        }
        assert_eq!(taken, [1, 0, 1, 1]);
        let asked = json!({ "name": "queue:normal", "last": "2m" });
        let listed = at(bench, begin + 95).done("overview.series", asked).await;
        assert_eq!(listed["series"][0]["at"], json!([begin, begin + 30, begin + 60, begin + 90]));
        assert_eq!(listed["series"][0]["values"]["depth"], json!([1.0, 1.0, null, 1.0]));
        let names: Vec<Value> = at(bench, begin + 95).done("overview.series", json!({})).await["series"]
            .as_array()
            .unwrap()
            .iter()
            .map(|series| series["name"].clone())
            .collect();
        assert_eq!(names, ["agents", "locks", "queue:normal"], "a queue that was never used has no series");
        let asker = Asker::on(bench).await;
        asker
            .bad(
                "overview.series",
                &[json!({ "last": "25h" }), json!({ "name": "a b" }), json!({ "steps": 0 })],
            )
            .await;
    })
    .await;
}

#[tokio::test]
async fn the_overview_names_what_needs_a_person_and_says_what_to_do() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let calm = asker.done("overview.show", json!({})).await;
        assert_eq!((&calm["health"], &calm["needs"]), (&json!("all_right"), &json!([])));
        asker.done("queues.push", json!({ "queue": "normal", "payload": "x" })).await;
        asker.done("queues.push", json!({ "queue": "low", "payload": "x" })).await;
        asker.done("queues.pause", json!({ "queue": "low" })).await;
        asker.done("agents.register", json!({ "agent": "quiet" })).await;
        let later = bench.scope.store.time().await.unwrap().millis() / 1_000 + 400;
        let seen = at(bench, later).done("overview.show", json!({})).await;
        assert_eq!(seen["health"], "act");
        let needs = seen["needs"].as_array().unwrap();
        for (code, id) in [("queue_waits", "normal"), ("queue_paused", "low"), ("agents_stale", "quiet")] {
            let need =
                needs.iter().find(|need| need["code"] == code).unwrap_or_else(|| panic!("{code}: {seen}"));
            assert!(need["id"] == id && !need["next"].as_str().unwrap().is_empty(), "{need}");
        }
        assert_eq!(needs[0]["urgency"], "now", "the most urgent first");
    })
    .await;
}

/// A replay that was done leaves nothing to do, and the Overview says so.
#[tokio::test]
async fn dead_letters_need_somebody_while_they_are_open() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.done("agents.register", json!({ "agent": "w1" })).await;
        asker.done("queues.push", json!({ "queue": "normal", "payload": "x", "max_attempts": 1 })).await;
        let take = async || {
            let claimed = asker.done("queues.claim", json!({ "queue": "normal", "agent": "w1" })).await;
            claimed["items"][0]["token"].clone()
        };
        asker
            .done("queues.nack", json!({ "token": take().await, "agent": "w1", "error": "disk full" }))
            .await;
        let needs = async || asker.done("overview.show", json!({})).await["needs"].clone();
        let need = needs().await[0].clone();
        assert_eq!(
            (&need["code"], &need["what"]),
            (&json!("dead_letters"), &json!("1 dead letter in 1 cluster; the latest: disk full"))
        );
        let clusters = asker.done("dead.clusters", json!({ "open": true })).await;
        assert_eq!((&clusters[0]["open"], &clusters[0]["fingerprint"]), (&json!(1), &need["id"]));
        asker.done("dead.replay", json!({ "cluster": need["id"] })).await;
        assert_eq!(needs().await, json!([]), "it has another life");
        asker.done("queues.ack", json!({ "token": take().await, "agent": "w1" })).await;
        assert_eq!(needs().await, json!([]), "and it is done");
        let clusters = asker.done("dead.clusters", json!({})).await;
        assert_eq!(
            (&clusters[0]["open"], &clusters[0]["count"]),
            (&json!(0), &json!(1)),
            "on record it stays"
        );
    })
    .await;
}

#[tokio::test]
async fn many_silent_agents_are_counted_and_a_few_are_named() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        for n in 0..8 {
            asker.done("agents.register", json!({ "agent": format!("w{n}") })).await;
        }
        let later = bench.scope.store.time().await.unwrap().millis() / 1_000 + 400;
        let seen = at(bench, later).done("overview.show", json!({})).await;
        let need = &seen["needs"][0];
        assert!(need["what"].as_str().unwrap().starts_with("8 agents were not heard from"), "{seen}");
        assert_eq!((&need["code"], &need["id"]), (&json!("agents_stale"), &Value::Null));
        assert_eq!(seen["needs"].as_array().unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn an_id_is_found_whatever_it_is_the_id_of() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.done("agents.register", json!({ "agent": "w1" })).await;
        asker.done("agents.register", json!({ "agent": "w2" })).await;
        asker.done("locks.acquire", json!({ "lock": "name:build", "agent": "w1" })).await;
        let sent = asker.done("messages.send", json!({ "to": "w1", "from": "w2", "text": "b" })).await;
        asker.done("tasks.status", json!({ "task_id": "t1", "status": "queued" })).await;
        asker
            .done(
                "jobs.schedule",
                json!({ "queue": "job:lock_cleanup", "payload": "p", "id": "daily", "in": "1h" }),
            )
            .await;
        asker.done("queues.push", json!({ "queue": "high", "payload": "p" })).await;
        let claimed = asker.done("queues.claim", json!({ "queue": "high", "agent": "w1" })).await;
        for (q, noun) in [
            ("w1", "agents"),
            ("build", "locks"),
            ("name:build", "locks"),
            (" t1 ", "tasks"),
            ("daily", "jobs"),
            ("lock_cleanup", "queues"),
            (sent["id"].as_str().unwrap(), "messages"),
            (claimed["items"][0]["id"].as_str().unwrap(), "queues"),
            (bench.scope.keys.quorate().meta().as_str(), "keys"),
        ] {
            assert!(nouns(&asker, q).await.iter().any(|own| own == noun), "{q} is no {noun}");
        }
        let nack = json!({ "token": claimed["items"][0]["token"], "agent": "w1", "error": "disk full" });
        asker.done("queues.push", json!({ "queue": "low", "payload": "p", "max_attempts": 1 })).await;
        asker.done("queues.nack", nack).await;
        let low = asker.done("queues.claim", json!({ "queue": "low", "agent": "w1" })).await;
        let nack = json!({ "token": low["items"][0]["token"], "agent": "w1", "error": "disk full" });
        asker.done("queues.nack", nack).await;
        let clusters = asker.done("dead.clusters", json!({})).await;
        assert_eq!(nouns(&asker, clusters[0]["fingerprint"].as_str().unwrap()).await, ["dead"]);
        asker.done("logs.emit", json!({ "service": "gateway", "message": "up" })).await;
        assert_eq!(nouns(&asker, "gateway").await, ["logs"]);
        for hostile in ["nothing", "*", "a:b:c", "../..", "\u{202e}x", "'; DROP", "w1\n"] {
            let found = nouns(&asker, hostile).await;
            assert_eq!(found.len(), usize::from(hostile.trim() == "w1"), "{hostile:?}: {found:?}");
        }
        asker.bad("find.find", &[json!({ "q": "" }), json!({ "q": "x".repeat(2_000) }), json!({})]).await;
    })
    .await;
}

#[tokio::test]
async fn nobody_finds_what_they_may_not_look_up() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let tokens = asker.call.plane.tokens();
        let made = async |name: &str, role: Role, scopes: &[&str]| {
            let scopes = scopes.iter().map(|scope| scope.parse().unwrap()).collect();
            let new = NewToken { scopes, ..NewToken::new(name.parse().unwrap(), role, "test") };
            let token = tokens.create(&new).await.unwrap().unwrap().token;
            let rights = tokens.check(&token).await.unwrap().map(Arc::new);
            Asker { call: Call { rights, ..asker.call.clone() } }
        };
        asker.done("agents.register", json!({ "agent": "ci" })).await;
        let viewer = made("ci", Role::Viewer, &[]).await;
        assert_eq!(nouns(&viewer, "ci").await, ["agents"], "tokens are for admins");
        assert_eq!(nouns(&asker, "ci").await, ["agents", "tokens"]);
        let narrow = made("narrow", Role::Viewer, &["find:read", "queues:read"]).await;
        assert!(nouns(&narrow, "ci").await.is_empty());
        let stranger = asker.bound("other");
        asker.done("agents.register", json!({ "agent": "w2" })).await;
        let sent = asker.done("messages.send", json!({ "to": "ci", "from": "w2", "text": "b" })).await;
        let id = sent["id"].as_str().unwrap();
        assert!(nouns(&stranger, id).await.is_empty() && nouns(&asker, id).await == ["messages"]);
        assert!(matches!(asker.fault("find.find", json!({ "q": " " })).await, Fault::BadInput { .. }));
    })
    .await;
}

#[tokio::test]
async fn a_service_that_was_asked_and_ails_needs_somebody_and_is_found_by_its_id() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let wanted = json!({ "service_id": "pay", "base_url": "https://8.8.8.8", "environment": "dev" });
        asker.done("services.register", wanted).await;
        let calm = asker.done("overview.show", json!({})).await;
        assert_eq!(calm["needs"], json!([]), "what nobody has looked at yet is no need");
        assert_eq!(nouns(&asker, "pay").await, ["services"]);
        // What a look would have left behind, without a call to anybody.
        let seen = json!({ "service_id": "pay", "last_checked_at": "2026-01-01T00:00:00Z", "http_status": { "state": "unreachable", "error_detail": "HTTP 503" } });
        let key = bench.scope.keys.relayna().service_health(&"pay".parse().unwrap());
        let mut set = quorate_store::cmd("SET");
        bench.scope.store.query::<String>(set.arg(key.as_str()).arg(seen.to_string())).await.unwrap();
        let needs = asker.done("overview.show", json!({})).await["needs"].clone();
        assert_eq!((&needs[0]["code"], &needs[0]["id"], &needs[0]["urgency"]), (&json!("service_ails"), &json!("pay"), &json!("now")));
        assert_eq!(needs[0]["what"], "pay is unreachable: it did not answer: HTTP 503");
        asker.done("services.disable", json!({ "service_id": "pay" })).await;
        assert_eq!(asker.done("overview.show", json!({})).await["needs"], json!([]));
    })
    .await;
}

#[tokio::test]
async fn keys_are_counted_by_family_with_one_of_each() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        for name in ["a", "b"] {
            asker.done("agents.register", json!({ "agent": name })).await;
        }
        bench.cli("SET stranger:1 x").await;
        let counted = asker.done("keys.counts", json!({})).await;
        assert_eq!((&counted["whole"], &counted["keys"]), (&json!(true), &counted["looked"]));
        let families = counted["families"].as_array().unwrap();
        let own = families
            .iter()
            .find(|own| own["family"] == "reverie.session")
            .unwrap_or_else(|| panic!("{counted}"));
        assert_eq!((&own["met"], &own["about"]), (&json!(2), &json!(2)));
        let sample = own["sample"].as_str().unwrap();
        assert_eq!(asker.done("keys.which", json!({ "key": sample })).await["family"], "session");
        assert_eq!(
            (&counted["unknown"]["about"], &counted["unknown"]["sample"]),
            (&json!(1), &json!("stranger:1"))
        );
        let sum: u64 = families.iter().map(|own| own["met"].as_u64().unwrap()).sum();
        assert_eq!(sum + 1, counted["looked"].as_u64().unwrap());
        bench.cli("DEL stranger:1").await;
    })
    .await;
}
