//! Notices of failed tasks: once, in one message after the wait, by a real mail server, and nothing lost when it refuses.

use std::time::Duration;

use futures_util::future::join_all;
use quorate_catalog::ids::EventType;
use quorate_outgoing::{Client, Guard};
use quorate_plane::events::Stream;
use quorate_plane::notices::{EVENT, Post, Turn};
use quorate_plane::webhooks::NewWebhook;
use quorate_plane::{Plane, invariants};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, FromRedisValue, cmd};
use quorate_testkit::{Bench, check_verbatim as check};
use serde_json::{Value, json};

use crate::services::support::{Fake, register};
use crate::support::mail::MailServer;
use crate::support::receiver::Receiver;

fn plane(bench: &Bench, post: Post) -> Plane {
    at(bench, post, 0)
}

/// The plane as it is so many seconds from now.
fn at(bench: &Bench, post: Post, seconds: i64) -> Plane {
    let store = bench.scope.store.with_clock(Clock::Offset(seconds * 1_000_000));
    let scope = Scope { store, keys: bench.scope.keys.clone() };
    Plane::new(scope).unwrap().calling(Client::new(Guard::parse("127.0.0.1:*").unwrap())).telling(post)
}

async fn fail(plane: &Plane, name: &str, second: usize) {
    let record = json!({ "dlq_id": name, "queue_name": "pay.dlq", "source_queue_name": "pay", "task_id": format!("task-{name}"),
        "reason": "card processor timeout", "exception_type": "TimeoutError", "body": 1,
        "dead_lettered_at": format!("2026-11-16T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60) });
    plane.dead_letters().records().keep(&record.to_string()).await.unwrap().unwrap();
}

async fn turn(plane: &Plane) -> Turn {
    plane.notices().turn().await.unwrap()
}

async fn count(bench: &Bench, pattern: &str) -> usize {
    Vec::<String>::from_redis_value(bench.cli(&format!("KEYS {pattern}")).await).unwrap_or_default().len()
}

const STREAM: Stream = Stream::Ade(EventType::Task);

async fn events(plane: &Plane) -> Vec<Value> {
    let key = STREAM.key(plane.keys());
    let entries: Vec<(String, Vec<String>)> =
        plane.store().query(cmd("XRANGE").arg(key.as_str()).arg("-").arg("+")).await.unwrap_or_default();
    let read = |fields: Vec<String>| {
        let of = |name: &str| fields.chunks(2).find(|pair| pair[0] == name).map(|pair| pair[1].clone());
        (of("event")? == EVENT).then(|| serde_json::from_str(&of("payload")?).ok())?
    };
    entries.into_iter().filter_map(|(_, fields)| read(fields)).collect()
}

#[tokio::test]
async fn a_failure_is_told_once_by_mail_and_by_webhook() {
    check(&invariants(), async |bench| {
        let (mail, outside) = (MailServer::start().await, Receiver::start().await);
        let plane = plane(bench, mail.post(&[]));
        let hook = NewWebhook {
            url: outside.url().parse().unwrap(),
            events: vec![EVENT.parse().unwrap()],
            streams: vec![],
            secret: None,
            by: "ann".into(),
        };
        let made = plane.webhooks().add(&hook).await.unwrap().unwrap();
        fail(&plane, "f1", 1).await;
        assert_eq!(turn(&plane).await, Turn { found: 1, sent: 1, ..Turn::default() });
        assert_eq!(turn(&plane).await, Turn::default(), "nobody is told twice");
        let got = mail.got();
        assert_eq!(
            (got.len(), &got[0].to[..]),
            (1, &["ops@example.com".to_owned(), "oncall@example.com".into()][..])
        );
        for line in [
            "Subject: [Relayna] Failed task: Quorate / f1",
            "Task ID: task-f1",
            "Error Type: TimeoutError",
            "DLQ: pay.dlq",
            "@quorate>",
        ] {
            assert!(got[0].text.contains(line), "{line}: {}", got[0].text);
        }
        let (say, webhooks) = (|_: &str| {}, plane.webhooks());
        let told = tokio::select! {
            told = outside.has(1) => told,
            _ = webhooks.dispatch(&say) => unreachable!(),
        };
        let told = told[0].json();
        assert!(
            told.to_string().contains("\\\"failure_id\\\":\\\"f1\\\"")
                || told.to_string().contains("\"failure_id\":\"f1\""),
            "{told}"
        );
        plane.webhooks().rm(&made.webhook.id.parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(count(bench, "studio:failed_task_email:notified:quorate:f1").await, 1);
    })
    .await;
}

#[tokio::test]
async fn failures_are_gathered_for_the_wait_and_told_in_one_message() {
    check(&invariants(), async |bench| {
        let mail = MailServer::start().await;
        let now = plane(bench, mail.post(&[]));
        let state = now.notices().set(None, Some(600)).await.unwrap();
        assert_eq!(
            (state.configured, state.wanted.enabled, state.wanted.batch_wait_seconds),
            (true, true, 600)
        );
        fail(&now, "f1", 1).await;
        assert_eq!(turn(&now).await, Turn { found: 1, waiting: 1, ..Turn::default() });
        fail(&now, "f2", 2).await;
        let soon = at(bench, mail.post(&[]), 599);
        assert_eq!(turn(&soon).await, Turn { found: 1, waiting: 2, ..Turn::default() });
        assert_eq!((soon.notices().show().await.unwrap().pending, mail.got().len()), (2, 0));
        let later = at(bench, mail.post(&[]), 601);
        assert_eq!(turn(&later).await.sent, 2);
        let got = mail.got();
        assert_eq!(got.len(), 1);
        assert!(
            got[0].text.contains("Failed task: 2 failed tasks")
                && got[0].text.contains("task-f1")
                && got[0].text.contains("task-f2")
        );
        assert_eq!(events(&now).await[0]["count"], 2);
        assert_eq!(now.notices().set(Some(false), None).await.unwrap().wanted.batch_wait_seconds, 600);
        fail(&now, "f3", 3).await;
        assert_eq!(turn(&later).await.idle.as_deref(), Some("disabled"));
        assert!(now.notices().set(None, Some(604_801)).await.is_err());
    })
    .await;
}

/// Regression of Relayna 1.4.16: what was told of stays on top of the list, and nobody ever saw what was below it.
#[tokio::test]
async fn notices_reach_what_is_behind_the_first_page() {
    check(&invariants(), async |bench| {
        let (mail, fake) = (MailServer::start().await, Fake::start().await);
        let plane = plane(bench, mail.post(&[]));
        register(&plane, "pay", &fake.url()).await;
        for n in 0..450 {
            fail(&plane, &format!("own{n:03}"), n).await;
        }
        fake.fails(
            (0..450)
                .map(|n| json!({ "failure_id": format!("far{n:03}"), "task_id": "t", "status": "DLQ" }))
                .collect(),
        );
        let mut told = quorate_store::pipe();
        for n in 20..450 {
            for name in [format!("quorate:own{n:03}"), format!("pay:far{:03}", 449 - n)] {
                told.cmd("SET")
                    .arg(format!("studio:failed_task_email:notified:{name}"))
                    .arg("2026-11-16T00:00:00Z");
            }
        }
        plane.store().pipeline::<Vec<String>>(&told).await.unwrap();
        let done = turn(&plane).await;
        assert_eq!((done.found, done.sent, done.trouble.len()), (40, 40, 0), "{done:?}");
        let text = &mail.got()[0].text;
        assert!(text.contains("own000") && text.contains("far449") && !text.contains("own020"), "{text}");
        assert!(fake.asked().iter().filter(|asked| asked.contains("cursor=")).count() >= 2);
        bench.cli("DEL studio:failed_task_email:pending").await;
        for key in
            Vec::<String>::from_redis_value(bench.cli("KEYS studio:failed_task_email:notified:*").await)
                .unwrap()
        {
            bench.cli(&format!("DEL {key}")).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_mail_server_that_refuses_loses_nothing_and_is_tried_again_after_a_pause() {
    check(&invariants(), async |bench| {
        let mail = MailServer::start().await;
        let now = plane(bench, mail.post(&[]));
        mail.refuses(true);
        fail(&now, "f1", 1).await;
        let first = turn(&now).await;
        assert_eq!(
            (first.sent, first.waiting, &first.trouble[..]),
            (0, 1, &["the mail server answered 451".to_owned()][..])
        );
        assert_eq!(
            count(bench, "studio:failed_task_email:notified:*").await,
            0,
            "nothing is marked that was not sent"
        );
        let state = now.notices().show().await.unwrap();
        assert_eq!((state.attempts, state.trouble.as_deref()), (1, Some("the mail server answered 451")));
        mail.refuses(false);
        assert_eq!((turn(&now).await.sent, mail.got().len()), (0, 0), "it rests first");
        let later = at(bench, mail.post(&[]), 31);
        assert_eq!((turn(&later).await.sent, mail.got().len()), (1, 1));
        // The event cannot be published: the mail is not sent a second time when it can.
        fail(&now, "f2", 2).await;
        let key = STREAM.key(now.keys());
        bench.cli(&format!("RENAME {key} aside")).await;
        bench.cli(&format!("SET {key} oops")).await;
        assert!(
            now.notices().turn().await.is_err()
                || count(bench, "studio:failed_task_email:notified:quorate:f2").await == 0
        );
        assert_eq!(mail.got().len(), 2);
        bench.cli(&format!("DEL {key}")).await;
        bench.cli(&format!("RENAME aside {key}")).await;
        let again = at(bench, mail.post(&[]), 200);
        assert_eq!((turn(&again).await.sent, mail.got().len()), (1, 2));
        assert_eq!(events(&now).await.len(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_processes_one_tells() {
    check(&invariants(), async |bench| {
        let mail = MailServer::start().await;
        let first = plane(bench, mail.post(&[]));
        for n in 0..30 {
            fail(&first, &format!("f{n:02}"), n).await;
        }
        let turns = join_all((0..12).map(|_| {
            let plane = plane(bench, mail.post(&[]));
            tokio::spawn(async move { turn(&plane).await })
        }))
        .await;
        let sent: usize = turns.iter().map(|turn| turn.as_ref().unwrap().sent).sum();
        assert_eq!((sent, mail.got().len()), (30, 1));
        assert_eq!(count(bench, "studio:failed_task_email:batch:lock").await, 0, "the turn was given back");
    })
    .await;
}

/// What Relayna's studio wrote is gone on with, and what it holds is respected; and the other way round.
#[tokio::test]
async fn relaynas_studio_and_the_plane_share_the_turn_and_what_waits() {
    check(&invariants(), async |bench| {
        let outside = Receiver::start().await;
        let url = outside.url();
        let post = Post::read(|name| match name {
            "RELAYNA_STUDIO_FAILED_TASK_EMAIL_SERVICE_URL" => Some(url.clone()),
            "RELAYNA_STUDIO_FAILED_TASK_EMAIL_API_KEY" => Some("sesame".into()),
            "RELAYNA_STUDIO_FAILED_TASK_EMAIL_RECEIVERS" => Some("ops@example.com".into()),
            _ => None,
        });
        let plane = plane(bench, post.unwrap());
        assert_eq!(turn(&plane).await.idle.as_deref(), Some("disabled"));
        bench.cli("SET studio:failed_task_email:settings '{\"enabled\":true,\"batch_wait_seconds\":60}'").await;
        bench.cli("SET studio:failed_task_email:batch:lock 2026-11-16T12:00:00Z EX 30").await;
        assert_eq!(turn(&plane).await.idle.as_deref(), Some("busy"));
        bench.cli("DEL studio:failed_task_email:batch:lock").await;
        let item = json!({ "service_id": "pay", "service_name": "Payments API", "failure_id": "failure-1", "task_id": "task-123" });
        let pending = json!({ "started_at": "2000-01-01T00:00:00+00:00", "items": [item] });
        bench.cli(&format!("SET studio:failed_task_email:pending '{pending}'")).await;
        assert_eq!(turn(&plane).await.sent, 1);
        let got = outside.has(1).await;
        assert_eq!((got[0].header("x-api-key").as_str(), &got[0].json()["receivers"]), ("sesame", &json!(["ops@example.com"])));
        assert_eq!(got[0].json()["title"], "[Relayna] Failed task: Payments API / failure-1");
        let ttl = i64::from_redis_value(bench.cli("TTL studio:failed_task_email:notified:pay:failure-1").await).unwrap();
        assert!((604_700..=604_800).contains(&ttl), "{ttl}");
        bench.cli("SET studio:failed_task_email:pending nonsense").await;
        assert!(plane.notices().turn().await.is_err(), "what cannot be read is not thrown away");
        let findings = quorate_plane::notices::invariants()[0].check(&bench.scope).await.unwrap();
        assert_eq!(findings.len(), 1);
        bench.cli("DEL studio:failed_task_email:pending").await;
        tokio::time::sleep(Duration::from_millis(1)).await;
    })
    .await;
}
