//! Webhooks: signed, at least once whoever dies, tried again, a dead letter in the end, and only where they may go.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::receiver::Receiver;
use crate::support::refused;
use quorate_catalog::ids::WebhookId;
use quorate_outgoing::{Client, Guard};
use quorate_plane::dead_letters::{Filter, Replay};
use quorate_plane::events::{Event, Stream};
use quorate_plane::webhooks::{Added, GROUP, NewWebhook, Secret, Webhook};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::chaos::Worker;
use quorate_testkit::soak::say;
use quorate_testkit::{Bench, check};
use tokio::time::{Instant, sleep, timeout};

const WORKER: &str = env!("CARGO_BIN_EXE_job-worker");

fn plane(bench: &Bench, rules: &str) -> Plane {
    Plane::new(bench.scope.clone()).unwrap().calling(Client::new(Guard::parse(rules).unwrap()))
}

fn wanted(url: &str, events: &[&str], streams: &[&str]) -> NewWebhook {
    NewWebhook {
        url: url.parse().unwrap(),
        events: events.iter().map(|event| event.parse().unwrap()).collect(),
        streams: streams.iter().map(|stream| stream.parse().unwrap()).collect(),
        secret: None,
        by: "ada".into(),
    }
}

async fn add(plane: &Plane, wanted: &NewWebhook) -> Added {
    plane.webhooks().add(wanted).await.unwrap().unwrap()
}

fn id(webhook: &Webhook) -> WebhookId {
    WebhookId::parse(&webhook.id).unwrap()
}

async fn publish(plane: &Plane, stream: &str, event: &str, payload: &str) {
    let stream: Stream = stream.parse().unwrap();
    let event = Event { event: event.into(), payload: payload.into(), source: "test".into() };
    plane.events().publish(stream, &[event]).await.unwrap().unwrap();
}

/// Dispatches until `work` is done.
async fn dispatching<T>(plane: &Plane, work: impl Future<Output = T>) -> T {
    let hooks = plane.webhooks();
    let quiet = |_: &str| ();
    tokio::select! {
        never = hooks.dispatch(&quiet) => match never {},
        done = timeout(Duration::from_secs(20), work) => done.expect("in time"),
    }
}

/// Quick enough for a test.
async fn set(bench: &Bench, name: &str, value: u32) {
    let name = quorate_catalog::ids::ConfigName::parse(name).unwrap();
    let key = bench.scope.keys.ade().config(&name);
    bench.cli(&format!("SET {key} {value}")).await;
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !holds().await {
        assert!(Instant::now() < deadline, "{what}");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_delivery_is_signed_and_tells_what_was_asked_for_from_then_on() {
    check(&invariants(), async |bench| {
        let receiver = Receiver::start().await;
        let plane = plane(bench, &receiver.rules());
        publish(&plane, "task", "task:early", "{}").await;
        sleep(Duration::from_millis(5)).await;
        let made =
            add(&plane, &wanted(&receiver.url(), &["task:*", "lock:acquired"], &["task", "lock"])).await;
        publish(&plane, "task", "task:state_changed", r#"{"n":1.10}"#).await;
        publish(&plane, "task", "other", "{}").await;
        publish(&plane, "approval", "task:elsewhere", "{}").await;
        publish(&plane, "lock", "lock:acquired", "{}").await;
        let got = dispatching(&plane, async {
            let got = receiver.has(2).await;
            until("it is noted", async || {
                plane.webhooks().show(&id(&made.webhook)).await.unwrap().unwrap().delivered == 2
            })
            .await;
            sleep(Duration::from_millis(300)).await;
            got
        })
        .await;
        assert_eq!(receiver.got().len(), 2, "nothing else came");
        let types: BTreeSet<String> =
            got.iter().map(|one| one.json()["type"].as_str().unwrap().to_owned()).collect();
        assert_eq!(types, BTreeSet::from(["task:state_changed".to_owned(), "lock:acquired".to_owned()]));
        for one in &got {
            let (id, at) = (one.header("webhook-id"), one.header("webhook-timestamp").parse().unwrap());
            assert_eq!(one.header("webhook-signature"), made.secret.sign(&id, at, &one.body));
            assert_eq!((&one.json()["id"], &one.json()["specversion"]), (&id.into(), &"1.0".into()));
            assert!(one.head.starts_with("POST /in ") && one.header("content-type").contains("cloudevents"));
        }
        assert!(got.iter().any(|one| one.body.contains(r#""data":{"n":1.10}"#)));
        let shown = plane.webhooks().show(&id(&made.webhook)).await.unwrap().unwrap();
        assert_eq!((shown.failed, shown.last_result.as_deref()), (0, Some("HTTP 204")));
        let text =
            format!("{made:?} {}", serde_json::to_string(&plane.webhooks().ls().await.unwrap()).unwrap());
        assert!(!text.contains(made.secret.reveal()));
    })
    .await;
}

/// What says 200 has taken the delivery, whatever becomes of the rest of its answer.
#[tokio::test]
async fn a_receiver_that_never_ends_its_answer_is_told_once() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    check(&invariants(), async |bench| {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((mut socket, _)) = listener.accept().await {
                let _ = socket.read(&mut [0; 4_096]).await;
                let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\nx").await;
                open.push(socket);
            }
        });
        let plane = plane(bench, &at.to_string());
        let made = add(&plane, &wanted(&format!("http://{at}/in"), &[], &["task"])).await;
        publish(&plane, "task", "task:done", "{}").await;
        let shown = async || plane.webhooks().show(&id(&made.webhook)).await.unwrap().unwrap();
        let began = Instant::now();
        dispatching(&plane, until("it is noted", async || shown().await.delivered == 1)).await;
        assert!(began.elapsed() < Duration::from_secs(5), "nobody waits for the rest");
        assert_eq!((shown().await.failed, shown().await.last_result.as_deref()), (0, Some("HTTP 200")));
    })
    .await;
}

#[tokio::test]
async fn what_is_not_taken_is_tried_again_buried_and_replayed() {
    check(&invariants(), async |bench| {
        let receiver = Receiver::start().await;
        let plane = plane(bench, &receiver.rules());
        set(bench, "webhooks:attempts", 3).await;
        set(bench, "webhooks:backoff", 20).await;
        let made = add(&plane, &wanted(&receiver.url(), &[], &["task"])).await;
        receiver.answers(500);
        publish(&plane, "task", "task:done", "{}").await;
        let open = Filter { state: Some("open".into()), limit: 10, ..Filter::default() };
        dispatching(&plane, async {
            until("a letter", async || plane.dead_letters().list(&open).await.unwrap().len() == 1).await;
            let letter = plane.dead_letters().list(&open).await.unwrap().remove(0);
            let ids: BTreeSet<String> = receiver.got().iter().map(|one| one.header("webhook-id")).collect();
            assert_eq!((receiver.got().len(), ids.len()), (3, 1), "three attempts at one delivery");
            assert_eq!(
                (letter.source.as_str(), letter.reason.as_str(), letter.attempts),
                ("queue:job:webhooks", "HTTP 500", 3)
            );
            assert!(!letter.payload.contains(made.secret.reveal()));
            let shown = plane.webhooks().show(&id(&made.webhook)).await.unwrap().unwrap();
            assert_eq!((shown.delivered, shown.failed, shown.streak), (0, 3, 3));
            receiver.answers(200);
            let letter = letter.id.parse().unwrap();
            plane.dead_letters().replay(&letter, &Replay::by("ada")).await.unwrap().unwrap();
            receiver.has(4).await;
            until("resolved", async || {
                plane.dead_letters().show(&letter).await.unwrap().unwrap().state == "resolved"
            })
            .await;
            assert_eq!(receiver.got()[3].header("webhook-id"), receiver.got()[0].header("webhook-id"));
            let shown = plane.webhooks().show(&id(&made.webhook)).await.unwrap().unwrap();
            assert_eq!((shown.delivered, shown.streak), (1, 0));
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_killed_dispatcher_loses_no_delivery() {
    check(&invariants(), async |bench| {
        let receiver = Receiver::start().await;
        let plane = plane(bench, &receiver.rules());
        add(&plane, &wanted(&receiver.url(), &[], &["task", "all"])).await;
        receiver.takes(Duration::from_millis(60));
        let mut expected = BTreeSet::new();
        for round in 0..5_i64 {
            for number in 0..40 {
                let name = format!("task:r{round}n{number}");
                publish(&plane, if number % 2 == 0 { "task" } else { "all" }, &name, "{}").await;
                expected.insert(name);
            }
            // Each is as far ahead of the last as a lease is long, so that what the dead had is free.
            let mut command = Command::new(WORKER);
            command
                .arg(bench.node.url().reveal())
                .arg(bench.scope.keys.namespace_text().trim_end_matches(':'))
                .arg(receiver.rules())
                .arg((round * 40).to_string())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let mut worker = Worker::spawn(&mut command).unwrap();
            // In the last round everything must come; in the others it dies with some of them said and not answered.
            if round < 4 {
                until("it is in the middle", async || receiver.hearing() > 3).await;
                worker.kill9().unwrap();
            } else {
                let names = || -> BTreeSet<String> {
                    receiver.got().iter().map(|one| one.json()["type"].as_str().unwrap().to_owned()).collect()
                };
                until("everything came", async || names() == expected).await;
            }
        }
        say(&format!("200 events, 4 kills: {} deliveries", receiver.got().len()));
    })
    .await;
}

#[tokio::test]
async fn nothing_is_told_to_an_address_that_may_not_be_called() {
    check(&invariants(), async |bench| {
        let canary = Receiver::start().await;
        let (strict, open) = (plane(bench, ""), plane(bench, &canary.rules()));
        let denied = refused(strict.webhooks().add(&wanted(&canary.url(), &[], &[])).await.unwrap());
        assert!(denied.is("url_denied") && denied.reason.contains("127.0.0.1"), "{denied:?}");
        assert!(strict.webhooks().ls().await.unwrap().is_empty());
        // Registered while it was allowed, and the rule is gone when it comes to calling.
        let made = add(&open, &wanted(&canary.url(), &[], &["all"])).await;
        publish(&open, "all", "x", "{}").await;
        dispatching(&strict, async {
            until("it was tried", async || {
                open.webhooks().show(&id(&made.webhook)).await.unwrap().unwrap().failed == 1
            })
            .await;
        })
        .await;
        let tried = strict.webhooks().test(&id(&made.webhook)).await.unwrap().unwrap();
        assert!(!tried.taken && tried.result.starts_with("not called"), "{tried:?}");
        assert_eq!(canary.got().len(), 0);
        assert!(open.webhooks().test(&id(&made.webhook)).await.unwrap().unwrap().taken);
        assert_eq!(canary.got()[0].json()["type"], "webhook:test");
    })
    .await;
}

#[tokio::test]
async fn a_removed_webhook_is_told_nothing_and_leaves_nothing() {
    check(&invariants(), async |bench| {
        let receiver = Receiver::start().await;
        let plane = plane(bench, &receiver.rules());
        let own = plane.webhooks().asked(Some("request-1"));
        let made = own.add(&wanted(&receiver.url(), &[], &["task"])).await.unwrap().unwrap();
        let again = own.add(&wanted(&receiver.url(), &[], &["task"])).await.unwrap().unwrap();
        assert_eq!(
            (again.webhook.id, again.secret.reveal()),
            (made.webhook.id.clone(), made.secret.reveal())
        );
        assert_eq!(plane.webhooks().ls().await.unwrap().len(), 1);
        receiver.answers(503);
        publish(&plane, "task", "task:a", "{}").await;
        dispatching(&plane, async { receiver.has(1).await }).await;
        let rm = plane.webhooks().asked(Some("request-2"));
        let gone = rm.rm(&id(&made.webhook)).await.unwrap().unwrap();
        assert_eq!(
            gone,
            rm.rm(&id(&made.webhook)).await.unwrap().unwrap(),
            "a repeated call gets the first answer"
        );
        assert!(refused(plane.webhooks().rm(&id(&made.webhook)).await.unwrap()).is("no_webhook"));
        assert!(plane.events().groups(None).await.unwrap().iter().all(|group| group.group != GROUP));
        publish(&plane, "task", "task:b", "{}").await;
        // The dispatcher clears away what was still on its way.
        let queue = quorate_plane::webhooks::QUEUE.parse().unwrap();
        let ahead = crate::support::later(bench, 60);
        dispatching(&ahead, async {
            until("nothing waits", async || {
                let shown = ahead.queues().show(&queue, 0).await.unwrap();
                shown.depth + shown.delayed + shown.in_flight == 0
            })
            .await;
        })
        .await;
        assert_eq!(receiver.got().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn bad_webhooks_are_refused_and_there_are_not_too_many() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, "");
        let mut bad = wanted("https://192.0.2.1", &[], &["wake"]);
        assert!(plane.webhooks().add(&bad).await.is_err(), "no stream for everybody");
        bad.streams = vec![Stream::All];
        assert!(refused(plane.webhooks().add(&bad).await.unwrap()).is("url_denied"));
        let good = |n: u8| NewWebhook { by: "a".into(), ..wanted(&format!("https://8.8.8.{n}/x"), &[], &[]) };
        for number in 0..100 {
            add(&plane, &good(number)).await;
        }
        assert!(refused(plane.webhooks().add(&good(100)).await.unwrap()).is("too_many_webhooks"));
        let own = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let first = id(&plane.webhooks().ls().await.unwrap()[0]);
        plane.webhooks().rm(&first).await.unwrap().unwrap();
        let made = add(&plane, &NewWebhook { secret: Some(own.clone()), ..good(101) }).await;
        assert_eq!((made.secret, made.webhook.streams.len()), (own, 3));
    })
    .await;
}

#[tokio::test]
async fn a_list_that_was_changed_is_found_and_put_right() {
    let bench = Bench::start().await;
    let plane = plane(&bench, "");
    let keys = bench.scope.keys.quorate();
    let mut ids = Vec::new();
    for number in 1..4 {
        ids.push(id(&add(&plane, &wanted(&format!("https://8.8.8.{number}"), &[], &[])).await.webhook));
    }
    bench.cli(&format!("ZREM {} {}", keys.webhook_list(), ids[0])).await;
    bench.cli(&format!("DEL {}", keys.webhook(&ids[1]))).await;
    bench.cli(&format!("DEL {}", keys.webhook_secret(&ids[2]))).await;
    let mess = bench.mess(&invariants()).await;
    assert_eq!(mess.iter().filter(|line| line.starts_with("FSCK076")).count(), 3, "{mess:?}");
    quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
    let mess = bench.mess(&invariants()).await;
    assert!(mess.len() == 1 && mess[0].contains("no secret"), "{mess:?}");
    assert_eq!(plane.webhooks().ls().await.unwrap().len(), 2);
    // A delivery to one that cannot sign is kept, not dropped and not sent unsigned.
    publish(&plane, "task", "task:x", "{}").await;
    assert!(matches!(plane.webhooks().test(&ids[2]).await.unwrap(), Outcome::Refused(_)));
}
