//! Every verb that changes something, over HTTP: whoever dies in the middle and however often it is asked again, there is
//! one effect, one answer and, where it goes on record, one record.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quorate_plane::idempotency::Begun;
use quorate_plane::tokens::Via;
use quorate_plane::trail::Filter;
use quorate_store::cmd;
use quorate_testkit::Bench;
use quorate_verbs::{Call, Effect, Entry, Verdict};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use crate::ready::{Stage, address, fields};
use crate::support::{Server, read};

/// What these do happens outside, where the other end recognises a delivery by its id, or only reads.
const OUTSIDE: [&str; 9] = [
    "services.pull",
    "services.check",
    "services.refresh",
    "services.review",
    "services.retry",
    "services.discard",
    "webhooks.test",
    "notices.run",
    "notices.test",
];
/// How many of them ask a service, which is not there.
const ASKING: usize = 6;
/// These are refused here: there is no foreign lock to steal, and nobody has said that events are pushed.
const REFUSED: [&str; 2] = ["locks.steal", "services.ingest"];
/// Keys that say who asked and how often, not what was done.
const ABOUT_REQUESTS: [&str; 4] = ["idempotency:", "~q:audit:", "~q:quorate:token:", "~q:refusals"];

/// Everything in the store but what is kept of requests.
pub(crate) async fn state(bench: &Bench) -> BTreeMap<String, Vec<u8>> {
    let keys: Vec<String> = bench.scope.store.query(cmd("KEYS").arg("*")).await.unwrap();
    let mut all = BTreeMap::new();
    // How often root has asked is counted, too.
    let counts =
        |key: &String| key.ends_with(":root") || ABOUT_REQUESTS.iter().any(|part| key.contains(part));
    for key in keys.into_iter().filter(|key| !counts(key)) {
        let kind: String = bench.scope.store.query(cmd("TYPE").arg(&key)).await.unwrap();
        // A server may list members and fields in another order without anybody having changed them.
        let value = match kind.as_str() {
            "set" => {
                let members: BTreeSet<Vec<u8>> =
                    bench.scope.store.query(cmd("SMEMBERS").arg(&key)).await.unwrap();
                format!("{members:?}").into_bytes()
            }
            "hash" => {
                let fields: BTreeMap<Vec<u8>, Vec<u8>> =
                    bench.scope.store.query(cmd("HGETALL").arg(&key)).await.unwrap();
                format!("{fields:?}").into_bytes()
            }
            _ => bench
                .scope
                .store
                .query::<Option<Vec<u8>>>(cmd("DUMP").arg(&key))
                .await
                .unwrap()
                .unwrap_or_default(),
        };
        all.insert(key, value);
    }
    all
}

pub(crate) fn differing(one: &BTreeMap<String, Vec<u8>>, two: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let keys = one.keys().chain(two.keys()).filter(|key| one.get(*key) != two.get(*key));
    keys.cloned().collect()
}

pub(crate) fn method(entry: &Entry) -> Method {
    format!("{:?}", entry.about.method).to_uppercase().parse().unwrap()
}

async fn keyed(server: &Server, entry: &Entry, key: &str, path: &str, body: &Value) -> (u16, Value) {
    let request = server.ask(method(entry), path).header("idempotency-key", key);
    let request = request.header("content-type", "application/json").body(body.to_string());
    read(request.send().await.expect("an answer")).await
}

/// As the server makes it.
fn fingerprint(entry: &Entry, path: &str, body: &str) -> [u8; 32] {
    let mut print = Sha256::new();
    for part in [method(entry).as_str().as_bytes(), path.as_bytes(), body.as_bytes()] {
        print.update((part.len() as u64).to_be_bytes());
        print.update(part);
    }
    print.finalize().into()
}

pub(crate) fn without_secrets(mut answer: Value) -> Value {
    for name in ["token", "code", "secret"] {
        if answer
            .get(name)
            .and_then(Value::as_str)
            .is_some_and(|text| text.starts_with("q") || text.starts_with("whsec_") || text.starts_with('('))
        {
            answer[name] = Value::Null;
        }
    }
    answer
}

async fn records(server: &Server, request: &str) -> Vec<String> {
    let page = server.plane.trail().ls(&Filter { limit: 1_000, ..Filter::default() }).await.unwrap();
    let own = page.records.into_iter().filter(|record| is_of(&record.request, request));
    own.map(|record| record.action).collect()
}

/// Whether an id of the trail is that of a request; one that the caller chose has a part of its own behind it.
fn is_of(recorded: &str, request: &str) -> bool {
    recorded.strip_prefix(request).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A server that dies between an effect and its answer: the claim of the request lapses, and whoever asks again finds what
/// was done.
#[tokio::test]
async fn every_change_has_one_effect_although_its_server_died_before_it_could_answer() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        let caller = server.plane.tokens().check(&server.admin).await.unwrap().unwrap();
        let Via::Token { id } = &caller.via else { panic!("a token") };
        for (n, entry) in
            stage.changing().filter(|entry| !OUTSIDE.contains(&entry.about.action().as_str())).enumerate()
        {
            let action = entry.about.action();
            let input = stage.input(&action, n).await;
            let (path, body) = address(entry, &input);
            let (key, print) = (format!("key-{n}"), fingerprint(entry, &path, &body.to_string()));
            let begun = server.plane.idempotency().begin(&format!("token {id}"), &key, &print).await.unwrap();
            let Begun::Go(claim) = begun else { panic!("{action}: {begun:?}") };
            let call = Call {
                request: Some(claim.request.clone()),
                rights: Some(Arc::new(caller.clone())),
                ..Call::new(server.plane.under(server.plane.idempotency().once(&claim)), "root")
            };
            let first = match entry.run(call, fields(&input)).await {
                Ok(Verdict::Done(answer)) => answer,
                other => {
                    assert!(REFUSED.contains(&action.as_str()), "{action} {input}: {other:?}");
                    continue;
                }
            };
            // The lease of a dead server ends by itself; here at once.
            server.plane.idempotency().leave(&claim).await.unwrap();
            let before = state(bench).await;
            for _ in 0..2 {
                let (status, second) = keyed(&server, entry, &key, &path, &body).await;
                assert!(status == 200 || status == 202, "{action}: {status} {second}");
                assert_eq!(without_secrets(second), without_secrets(first.clone()), "{action}");
                assert_eq!(
                    differing(&before, &state(bench).await),
                    Vec::<String>::new(),
                    "{action} did it again"
                );
            }
            let expected = matches!(entry.about.effect, Effect::Change | Effect::Destroys);
            let found = records(&server, &claim.request).await;
            assert_eq!(found, vec![action.clone(); usize::from(expected)], "{action}");
        }
    })
    .await;
}

/// A reply that never arrives: the request was forwarded, whoever sent it is gone.
#[tokio::test]
async fn every_change_has_one_effect_although_its_reply_was_dropped() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        for (n, entry) in stage.changing().filter(|entry| !OUTSIDE.contains(&entry.about.action().as_str())).enumerate() {
            let action = entry.about.action();
            let (path, body) = address(entry, &stage.input(&action, n).await);
            let key = format!("dropped-{n}");
            let text = body.to_string();
            let head = format!(
                "{} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\nidempotency-key: {key}\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\n\r\n{text}",
                method(entry), server.admin, text.len()
            );
            let address = server.url.trim_start_matches("http://");
            let mut stream = tokio::net::TcpStream::connect(address).await.expect("connects");
            stream.write_all(head.as_bytes()).await.expect("writes");
            stream.readable().await.expect("an answer is there");
            drop(stream);
            let before = state(bench).await;
            let (status, answer) = keyed(&server, entry, &key, &path, &body).await;
            let fine = status == 200 || status == 202 || REFUSED.contains(&action.as_str());
            assert!(fine, "{action}: {status} {answer}");
            assert_eq!(differing(&before, &state(bench).await), Vec::<String>::new(), "{action} did it again");
        }
    })
    .await;
}

/// Changes of what there is once.
const ABOUT_ALL: [&str; 3] = ["notices.set", "notices.test", "locks.break"];

/// What the record of a request says was changed.
async fn target(server: &Server, request: &str) -> Option<String> {
    let page = server.plane.trail().ls(&Filter { limit: 1_000, ..Filter::default() }).await.unwrap();
    page.records.into_iter().find(|record| is_of(&record.request, request)).map(|record| record.target)
}

/// What a request makes has its name on record, also where the plane has made it up.
#[tokio::test]
async fn what_is_made_is_on_record_under_its_name() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let service = json!({ "service_id": "pay", "name": "Pay", "base_url": "https://8.8.8.8/pay", "environment": "dev" });
        let made = [
            ("/agents", json!({ "agent": "a1" }), "agent"),
            ("/services", service, "service_id"),
            ("/tokens", json!({ "name": "ci", "role": "viewer" }), "name"),
            ("/webhooks", json!({ "url": "https://8.8.8.8/hook", "events": ["task:*"] }), "id"),
            ("/jobs", json!({ "queue": "job:q", "payload": "x", "in": "1h" }), "id"),
            ("/jobs", json!({ "queue": "job:q", "payload": "x", "in": "1h", "id": "nightly" }), "id"),
        ];
        for (n, (path, body, member)) in made.into_iter().enumerate() {
            let id = format!("made-{n:05}");
            let request = server.ask(Method::POST, &format!("/api/v1{path}")).header("x-request-id", &id);
            let request = request.header("content-type", "application/json").body(body.to_string());
            let (status, answer) = read(request.send().await.unwrap()).await;
            assert_eq!(status, 200, "{path}: {answer}");
            let name = body.get(member).or(answer.get(member)).and_then(Value::as_str);
            assert_eq!(target(&server, &id).await.as_deref(), name, "{path}");
        }
    })
    .await;
}

/// X6: without a key every call is one of its own, and each that goes on record leaves one record; reads and refused
/// strangers leave none.
#[tokio::test]
async fn every_change_that_goes_on_record_leaves_exactly_one_record() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        for (n, entry) in stage
            .changing()
            .filter(|entry| !OUTSIDE[..ASKING].contains(&entry.about.action().as_str()))
            .enumerate()
        {
            let action = entry.about.action();
            let (path, body) = address(entry, &stage.input(&action, n).await);
            let id = format!("request-{n:05}");
            let ask = async |secret: &str| {
                let request =
                    server.bare(method(entry), &path).bearer_auth(secret).header("x-request-id", &id);
                request
                    .header("content-type", "application/json")
                    .body(body.to_string())
                    .send()
                    .await
                    .unwrap()
                    .status()
            };
            assert_eq!(ask("qt_nobody").await, 401, "{action}");
            assert_eq!(
                records(&server, &id).await,
                Vec::<String>::new(),
                "{action}: a stranger has no record"
            );
            ask(&server.admin).await;
            let expected = matches!(entry.about.effect, Effect::Change | Effect::Destroys);
            assert_eq!(records(&server, &id).await, vec![action.clone(); usize::from(expected)], "{action}");
            let target = target(&server, &id).await.filter(|_| !ABOUT_ALL.contains(&action.as_str()));
            assert!(target.is_none_or(|target| target != entry.about.noun), "{action}: what was changed?");
        }
        let left: u64 = bench
            .scope
            .store
            .query(cmd("HLEN").arg(server.plane.keys().quorate().trail_intents().as_str()))
            .await
            .unwrap();
        assert_eq!(left, 0, "every note has become a record");
        assert!(server.plane.trail().verify().await.unwrap().findings.is_empty());
    })
    .await;
}

/// A server that dies after it began a change, and nobody asks again: the trail says that it was begun.
#[tokio::test]
async fn a_change_whose_server_died_is_on_record_too() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let record = quorate_plane::trail::Record {
            who: "root".into(),
            via: "http".into(),
            action: "queues.pause".into(),
            target: "low".into(),
            request: "request-of-the-dead".into(),
            result: quorate_plane::trail::UNKNOWN.into(),
            ..Default::default()
        };
        server.plane.trail().intend(&record).await.unwrap();
        let none = std::time::Duration::from_secs(60);
        assert_eq!(server.plane.trail().settle(none).await.unwrap(), 0, "it may still be at work");
        assert_eq!(server.plane.trail().settle(std::time::Duration::ZERO).await.unwrap(), 1);
        assert_eq!(server.plane.trail().settle(std::time::Duration::ZERO).await.unwrap(), 0);
        assert_eq!(records(&server, "request-of-the-dead").await, ["queues.pause"]);
        server.plane.trail().record(&record).await.unwrap();
        assert_eq!(records(&server, "request-of-the-dead").await.len(), 1, "one record, whoever comes late");
    })
    .await;
}
