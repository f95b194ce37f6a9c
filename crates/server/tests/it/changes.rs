//! Every verb that changes something, over HTTP: whoever dies in the middle and however often it is asked again, there is
//! one effect, one answer and, where it goes on record, one record.

use std::collections::{BTreeMap, BTreeSet};

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
const ABOUT_REQUESTS: [&str; 3] = ["idempotency:", "~q:audit:", "~q:quorate:token:"];

/// Everything in the store but what is kept of requests.
async fn state(bench: &Bench) -> BTreeMap<String, Vec<u8>> {
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

fn differing(one: &BTreeMap<String, Vec<u8>>, two: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let keys = one.keys().chain(two.keys()).filter(|key| one.get(*key) != two.get(*key));
    keys.cloned().collect()
}

fn method(entry: &Entry) -> Method {
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

fn without_secrets(mut answer: Value) -> Value {
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
    page.records.into_iter().filter(|record| record.request == request).map(|record| record.action).collect()
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
                rights: Some(caller.clone()),
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
    page.records.into_iter().find(|record| record.request == request).map(|record| record.target)
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

/// Of many who saw the same version one changes it; the others are told, and nothing of theirs is done.
#[tokio::test]
async fn of_many_who_saw_the_same_version_one_changes_it() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        for round in 0..5 {
            let seen = server.ask(Method::GET, "/api/v1/agents/w1").send().await.unwrap();
            let tag = seen.headers()["etag"].clone();
            let patch = async |who: usize| {
                let request = server.ask(Method::PATCH, "/api/v1/agents/w1").header("if-match", &tag);
                let body = json!({ "task": format!("{round} by {who}") }).to_string();
                read(request.header("content-type", "application/json").body(body).send().await.unwrap())
                    .await
            };
            let all = futures_util::future::join_all((0..16).map(patch)).await;
            let done: Vec<usize> = (0..16).filter(|who| all[*who].0 == 200).collect();
            assert_eq!(done.len(), 1, "{all:?}");
            assert!(
                all.iter()
                    .all(|(status, body)| *status == 200 || (*status == 412 && body["code"] == "changed")),
                "{all:?}"
            );
            assert_eq!(server.get("/api/v1/agents/w1").await.1["task"], format!("{round} by {}", done[0]));
        }
        // A sign of life is no change of what was seen.
        let tag =
            server.ask(Method::GET, "/api/v1/agents/w2").send().await.unwrap().headers()["etag"].clone();
        stage.done("agents.heartbeat", json!({ "agent": "w2" })).await;
        let ask = async |path: &str, tag: &str| {
            let request = server.ask(Method::POST, path).header("if-match", tag);
            read(request.header("content-type", "application/json").body("{}").send().await.unwrap()).await
        };
        assert_eq!(ask("/api/v1/agents/w2/drain", tag.to_str().unwrap()).await.0, 200);
        assert_eq!(ask("/api/v1/agents/w2/drain", tag.to_str().unwrap()).await.0, 412);
        assert_eq!(ask("/api/v1/agents/w2/drain", "*").await.0, 200);
        assert_eq!(ask("/api/v1/agents/nobody/drain", "*").await.0, 412);
        assert_eq!(ask("/api/v1/agents/w2/drain", "nonsense").await.0, 412);
        assert_eq!(ask("/api/v1/queues/low/pause", "*").await.0, 200, "it is always there");
        assert_eq!(ask("/api/v1/metrics/m/incr", "*").await.0, 400, "it has no version");
    })
    .await;
}

/// Every address with a version: what was read once can be changed once.
#[tokio::test]
async fn every_version_counts_once() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        let all = [
            "agents.update",
            "agents.deregister",
            "dead.drop",
            "dead.delete",
            "jobs.cancel",
            "services.update",
            "services.delete",
            "webhooks.rm",
            "workflows.start",
            "queues.pause",
            "queues.resume",
            "limits.set",
            "limits.unset",
            "tokens.create",
            "tokens.revoke",
            "notices.set",
        ];
        for (n, action) in all.into_iter().enumerate() {
            let mut input = stage.input(action, n).await;
            let entry = match action {
                // Defining a workflow again is a change of what is there.
                "workflows.start" => {
                    let topology =
                        json!({ "entry": ["only"], "stages": [{ "name": "only", "terminal": true }] });
                    input = json!({ "workflow": input["workflow"], "topology": topology });
                    stage.entry("workflows.define")
                }
                _ => stage.entry(action),
            };
            let (path, body) = address(entry, &input);
            let tag = seen_by(&server, &path).await;
            let ask = async |tag: &str, key: Option<&str>| {
                let mut request = server.ask(method(entry), &path).header("if-match", tag);
                if let Some(key) = key {
                    request = request.header("idempotency-key", key);
                }
                read(
                    request
                        .header("content-type", "application/json")
                        .body(body.to_string())
                        .send()
                        .await
                        .unwrap(),
                )
                .await
            };
            let wrong = ask("\"00.00\"", None).await;
            assert_eq!((wrong.0, wrong.1["code"].as_str()), (412, Some("changed")), "{action}: {wrong:?}");
            let key = format!("once-{n}");
            let first = ask(&tag, Some(&key)).await;
            assert_eq!(first.0, 200, "{action}: {first:?}");
            let again = ask(&tag, Some(&key)).await;
            let bodies = [again.1, first.1].map(without_secrets);
            assert_eq!((again.0, &bodies[0]), (first.0, &bodies[1]), "{action}: a repetition");
            // Who has gone is not there, or was seen otherwise.
            let again = ask(&tag, None).await.0;
            let gone = again == 404 && ["agents.deregister", "limits.unset"].contains(&action);
            assert!(again == 412 || gone, "{action}: {again}");
        }
    })
    .await;
}

/// The tag of the GET at an address, or at the one that it is a part of.
async fn seen_by(server: &Server, path: &str) -> String {
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    for address in [path, parent] {
        let seen = server.ask(Method::GET, address).send().await.unwrap();
        if let Some(tag) = seen.headers().get("etag").filter(|_| seen.status() == 200) {
            return tag.to_str().unwrap().to_owned();
        }
    }
    panic!("{path} has no tag");
}

/// Every route that changes something either knows a version and refuses another one, or says that it has none; what was
/// seen is never left out of account.
#[tokio::test]
async fn no_route_leaves_a_condition_out_of_account() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        let document = quorate_server::openapi();
        let mut with = 0;
        for (n, entry) in stage.changing().enumerate() {
            let (path, body) = address(entry, &stage.input(&entry.about.action(), n).await);
            let name = method(entry).as_str().to_lowercase();
            let told = &document["paths"][format!("/api/v1{}", entry.about.path)][name]["parameters"];
            let known = told.as_array().is_some_and(|all| all.iter().any(|one| one["name"] == "If-Match"));
            let before = state(bench).await;
            let request = server.ask(method(entry), &path).header("if-match", "\"00.00\"");
            let request = request.header("content-type", "application/json").body(body.to_string());
            let (status, answer) = read(request.send().await.unwrap()).await;
            let expected = if known { (412, "changed") } else { (400, "bad_input") };
            assert_eq!((status, answer["code"].as_str()), (expected.0, Some(expected.1)), "{path}: {answer}");
            assert_eq!(differing(&before, &state(bench).await), Vec::<String>::new(), "{path} did it");
            with += usize::from(known);
        }
        assert!(with >= 30, "{with} have a version");
    })
    .await;
}
