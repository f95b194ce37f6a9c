//! Relayna's store of dead letters: pages, sums, replays that are made once, reviews, and the seed's own commands.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{plane, refused};
use quorate_catalog::FamilyId;
use quorate_catalog::ids::{DeadLetterId, QueueNameId};
use quorate_plane::dead_letters::{Again, FailedFilter, Manual, Page, RecordFilter};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::{FromRedisValue, cmd};
use quorate_testkit::chaos::Worker;
use quorate_testkit::conformance::both_directions;
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check, check_verbatim};
use serde_json::{Value, json};

fn id(name: &str) -> DeadLetterId {
    DeadLetterId::parse(name).unwrap()
}

/// A record of the second so many seconds after the hour.
fn record(name: &str, queue: &str, second: u32) -> Value {
    json!({ "dlq_id": name, "queue_name": queue, "source_queue_name": "tasks", "retry_queue_name": "tasks.retry",
        "task_id": format!("task-{name}"), "reason": "handler_error", "exception_type": "RuntimeError", "retry_attempt": 2,
        "max_retries": 2, "headers": { "x-relayna-retry-attempt": 2, "x-relayna-failure-reason": "handler_error",
        "x-relayna-exception-type": "RuntimeError", "tenant": "t1" }, "body": { "n": 1 },
        "dead_lettered_at": format!("2026-11-16T12:{:02}:{:02}+00:00", second / 60, second % 60) })
}

async fn keep(plane: &Plane, record: Value) {
    plane.dead_letters().records().keep(&record.to_string()).await.unwrap().unwrap();
}

async fn page(plane: &Plane, filter: &RecordFilter, cursor: Option<&str>, limit: usize) -> Page {
    plane.dead_letters().records().list(filter, cursor, limit).await.unwrap().unwrap()
}

fn names(page: &Page) -> Vec<&str> {
    page.items.iter().map(|record| record.dlq_id.as_str()).collect()
}

fn asked(request: &str) -> Again {
    Again { request: request.into(), who: "ann".into(), ..Again::default() }
}

/// What the retry queue has: the id and the message of each item.
async fn jobs(plane: &Plane, queue: &str) -> Vec<(String, Value)> {
    let key = plane.keys().ade().job_queue(&QueueNameId::parse(queue).unwrap());
    let items: Vec<String> =
        plane.store().query(cmd("LRANGE").arg(key.as_str()).arg(0).arg(-1)).await.unwrap();
    let read = |text: &String| {
        let item: Value = serde_json::from_str(text).unwrap();
        (
            item["id"].as_str().unwrap().to_owned(),
            serde_json::from_str(item["payload"].as_str().unwrap()).unwrap(),
        )
    };
    items.iter().map(read).collect()
}

/// Systems 2e.3: a deleted record leaves the list, a cursor outlives its record, and sums read no record.
#[tokio::test]
async fn pages_go_on_where_they_ended_and_deletion_leaves_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        for n in 0..25_u32 {
            // Some of one moment, so that only their names tell them apart.
            keep(
                &plane,
                record(&format!("d{n:02}"), if n % 5 == 0 { "b: odd%name" } else { "a.dlq" }, n / 3),
            )
            .await;
        }
        let all = RecordFilter::default();
        let (mut seen, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let found = page(&plane, &all, cursor.as_deref(), 4).await;
            seen.extend(found.items.iter().map(|record| record.dlq_id.clone()));
            let Some(next) = found.next_cursor else { break };
            // The record at the cursor goes, and the next page does not begin again.
            let last = id(seen.last().unwrap());
            plane.dead_letters().records().drop(&last, "ann", "a test").await.unwrap().unwrap();
            cursor = Some(next);
        }
        let mut expected: Vec<String> = (0..25).map(|n| format!("d{n:02}")).collect();
        expected.sort_by_key(|name| std::cmp::Reverse((name[1..].parse::<u32>().unwrap() / 3, name.clone())));
        assert_eq!(seen, expected);
        let list = plane.keys().relayna().dead_letter_index();
        let left: u64 = plane.store().query(cmd("LLEN").arg(list.as_str())).await.unwrap();
        assert_eq!(left, 19, "six were deleted, and the list has none of them");
        let sums = plane.dead_letters().records().queues().await.unwrap();
        assert_eq!(sums.iter().map(|sum| sum.indexed_count).sum::<u64>(), 19);
        assert!(sums.iter().any(|sum| sum.queue_name == "b: odd%name"));
        let odd = RecordFilter { queue_name: Some("b: odd%name".into()), ..all.clone() };
        assert!(
            page(&plane, &odd, None, 50).await.items.iter().all(|record| record.queue_name == "b: odd%name")
        );
        let task = RecordFilter {
            task_id: Some("task-d02".into()),
            state: Some("dead_lettered".into()),
            ..all.clone()
        };
        assert_eq!(names(&page(&plane, &task, None, 50).await), ["d02"]);
        let none = RecordFilter { reason: Some("other".into()), ..all.clone() };
        assert!(page(&plane, &none, None, 50).await.items.is_empty());
        let named = page(&plane, &all, Some("d02"), 2).await;
        assert_eq!(names(&named), ["d00"], "a name is a cursor too");
        let lost = plane.dead_letters().records().list(&all, Some("nobody"), 2).await.unwrap();
        assert_eq!(refused(lost).code, "unknown_cursor");
    })
    .await;
}

/// Systems 2e.4: however many ask, one job; the headers are reset as the seed defines.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_clicks_publish_once_and_headers_are_reset() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        keep(&plane, record("d1", "a.dlq", 1)).await;
        let asks = (0..16).map(|n| {
            let plane = plane.clone();
            tokio::spawn(async move {
                plane
                    .dead_letters()
                    .records()
                    .replay(&id("d1"), &asked(&format!("r{}", n / 2)))
                    .await
                    .unwrap()
            })
        });
        let mut told = Vec::new();
        for ask in asks.collect::<Vec<_>>() {
            match ask.await.unwrap() {
                Outcome::Done(done) => told.push(done.job_id),
                Outcome::Refused(why) => assert!(why.is("already_replayed") || why.is("conflict"), "{why:?}"),
            }
        }
        assert!((1..=2).contains(&told.len()) && told.iter().all(|job| job == "d1.r1"), "{told:?}");
        let made = jobs(&plane, "tasks.retry").await;
        assert_eq!(made.len(), 1);
        let headers = &made[0].1["headers"];
        let expected = [
            ("retry-attempt", json!(0)),
            ("original-retry-attempt", json!(2)),
            ("original-failure-reason", json!("handler_error")),
            ("original-exception-type", json!("RuntimeError")),
            ("replayed-from-dlq", json!(true)),
            ("dlq-id", json!("d1")),
            ("failure-reason", Value::Null),
            ("exception-type", Value::Null),
        ];
        for (name, value) in expected {
            assert_eq!(headers[format!("x-relayna-{name}")], value, "{name}");
        }
        assert_eq!(headers["tenant"], "t1");
        assert_eq!(made[0].1["body"], json!({ "n": 1 }));

        let records = plane.dead_letters().records();
        assert_eq!(
            refused(records.replay(&id("d1"), &asked("late")).await.unwrap()).code,
            "already_replayed"
        );
        let forced = Again {
            force: true,
            body: Some("{\"n\":2}".into()),
            queue: Some("job:other".into()),
            ..asked("again")
        };
        assert_eq!(records.replay(&id("d1"), &forced).await.unwrap().unwrap().job_id, "d1.r2");
        assert_eq!(
            records.replay(&id("d1"), &forced).await.unwrap().unwrap().job_id,
            "d1.r2",
            "a repeated call is one"
        );
        assert_eq!(jobs(&plane, "other").await[0].1["body"], json!({ "n": 2 }));
        let seen = records.get(&id("d1")).await.unwrap().unwrap();
        assert_eq!((seen.state.as_str(), seen.replay_count, seen.replays.len()), ("replayed", 2, 2));
        assert_eq!(refused(records.replay(&id("d9"), &asked("x")).await.unwrap()).code, "no_letter");
    })
    .await;
}

#[tokio::test]
async fn a_record_is_reviewed_kept_once_and_replayed_only_when_its_task_has_ended() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let records = plane.dead_letters().records();
        let text = "{\"dlq_id\":\"d1\",\"queue_name\":\"q\",\"reason\":\"x\",\"big\":123456789012345678901234567890,\
            \"dead_lettered_at\":\"2026-11-16T12:00:00Z\",\"status\":\"running\",\"state\":\"replayed\"}";
        assert_eq!(records.keep(text).await.unwrap().unwrap(), ("d1".to_owned(), false));
        assert_eq!(records.keep(text).await.unwrap().unwrap(), ("d1".to_owned(), true), "the same is known");
        let other = record("d1", "q", 1).to_string();
        assert_eq!(refused(records.keep(&other).await.unwrap()).code, "record_exists");
        assert_eq!(refused(records.replay(&id("d1"), &asked("r")).await.unwrap()).code, "not_ended");
        let seen = records.review(&id("d1"), "ann", Some("a full disk")).await.unwrap().unwrap();
        assert_eq!(seen.review.unwrap().state, "investigated");
        let open = RecordFilter { investigated: Some(false), ..RecordFilter::default() };
        assert!(page(&plane, &open, None, 10).await.items.is_empty());
        records.review(&id("d1"), "bob", None).await.unwrap().unwrap();
        assert_eq!(names(&page(&plane, &open, None, 10).await), ["d1"]);
        let key = plane.keys().relayna().dead_letter(&id("d1"));
        let raw: String = plane.store().query(cmd("GET").arg(key.as_str())).await.unwrap();
        assert!(raw.contains("123456789012345678901234567890"), "what others wrote stays as it was");
        let ttl: i64 = plane.store().query(cmd("TTL").arg(key.as_str())).await.unwrap();
        assert_eq!(ttl, -1, "it is kept until somebody deletes it");
        for bad in ["[]", "{}", "{\"queue_name\":\"q\"}", "{\"queue_name\":\"q\",\"reason\":\"x\",\"dlq_id\":\"a:b\"}"] {
            assert!(records.keep(bad).await.is_err(), "{bad}");
        }
    })
    .await;
}

#[tokio::test]
async fn with_a_time_to_live_what_has_expired_leaves_every_list() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let name = quorate_catalog::ids::ConfigName::parse("dlq_store_ttl_seconds").unwrap();
        let setting = plane.keys().ade().config(&name);
        plane.store().query::<()>(cmd("SET").arg(setting.as_str()).arg(1_000)).await.unwrap();
        keep(&plane, record("d1", "a.dlq", 1)).await;
        let key = plane.keys().relayna().dead_letter(&id("d1"));
        let ttl: i64 = plane.store().query(cmd("TTL").arg(key.as_str())).await.unwrap();
        assert!((900..=1_000).contains(&ttl), "{ttl}");
        plane.store().query::<u64>(cmd("DEL").arg(key.as_str())).await.unwrap();
        assert!(page(&plane, &RecordFilter::default(), None, 10).await.items.is_empty());
        assert!(plane.dead_letters().records().queues().await.unwrap().is_empty());
        plane.store().query::<u64>(cmd("DEL").arg(setting.as_str())).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn fsck_lists_a_record_again_and_takes_a_name_out_that_has_none() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    keep(&plane, record("d1", "a.dlq", 1)).await;
    keep(&plane, record("d2", "a.dlq", 2)).await;
    bench.cli("DEL relayna:dlq:record:d1").await;
    bench.cli("LREM relayna:dlq:records 0 d2").await;
    let all = quorate_plane::dead_letters::invariants();
    let invariant = all.iter().find(|own| own.code() == "FSCK111").unwrap();
    let findings = invariant.check(&bench.scope).await.unwrap();
    assert_eq!(findings.len(), 2, "{findings:?}");
    for finding in &findings {
        assert!(invariant.repair(&bench.scope, finding).await.unwrap(), "{finding:?}");
    }
    assert!(invariant.check(&bench.scope).await.unwrap().is_empty());
}

/// What other clients wrote is text: it names no other job, and stops nobody's list.
#[tokio::test]
async fn records_that_lie_about_their_name_or_queue_stop_nobody() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    let records = plane.dead_letters().records();
    let mut liar = record("d1\",\"max\":9,\"x\":\"", "a.dlq", 1);
    liar["state"] = "dead_lettered".into();
    let mut endless = record("d2", &"q".repeat(600), 2);
    endless["state"] = "dead_lettered".into();
    let mut large = record("d3", "a.dlq", 3);
    (large["state"], large["traceback"]) = ("dead_lettered".into(), "x".repeat(100_000).into());
    for (name, text) in [("d1", &liar), ("d2", &endless), ("d3", &large)] {
        let key = plane.keys().relayna().dead_letter(&id(name));
        plane.store().query::<()>(cmd("SET").arg(key.as_str()).arg(text.to_string())).await.unwrap();
        bench.cli(&format!("LPUSH relayna:dlq:records {name}")).await;
    }
    assert_eq!(names(&page(&plane, &RecordFilter::default(), None, 5).await), ["d3"]);
    assert_eq!(
        refused(records.replay(&id("d1"), &asked("r")).await.unwrap()).code,
        "unreadable_record",
        "no job bears a name that was not checked"
    );
    assert!(jobs(&plane, "tasks.retry").await.is_empty());
    assert_eq!(records.replay(&id("d3"), &asked("r")).await.unwrap().unwrap().job_id, "d3.r1");
    let all = quorate_plane::dead_letters::invariants();
    let invariant = all.iter().find(|own| own.code() == "FSCK111").unwrap();
    assert_eq!(invariant.check(&bench.scope).await.unwrap().len(), 2);
    for name in ["d1", "d2"] {
        records.drop(&id(name), "ann", "a test").await.unwrap().unwrap();
    }
    assert!(invariant.check(&bench.scope).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_store_that_was_there_before_is_listed_whole() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let (mut set, mut push) = (cmd("MSET"), cmd("LPUSH"));
        push.arg(plane.keys().relayna().dead_letter_index().as_str());
        for n in 0..1_300_u32 {
            let name = format!("d{n:04}");
            let mut one = record(&name, "a.dlq", n);
            one["state"] = "dead_lettered".into();
            set.arg(plane.keys().relayna().dead_letter(&id(&name)).as_str()).arg(one.to_string());
            push.arg(name);
        }
        plane.store().query::<()>(&set).await.unwrap();
        plane.store().query::<u64>(&push).await.unwrap();
        let (mut seen, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let found = page(&plane, &RecordFilter::default(), cursor.as_deref(), 200).await;
            seen.extend(found.items.into_iter().map(|record| record.dlq_id));
            cursor = found.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let expected: Vec<String> = (0..1_300).rev().map(|n| format!("d{n:04}")).collect();
        assert_eq!(seen, expected);
    })
    .await;
}

async fn text(bench: &Bench, line: &str) -> String {
    String::from_redis_value(bench.cli(line).await).unwrap_or_default()
}

#[tokio::test]
async fn relayna_dead_letter() {
    both_directions(
        FamilyId::RelaynaDeadLetter,
        async |bench| {
            let plane = plane(bench, &[]).await;
            let foreign = json!({ "dlq_id": "d1", "queue_name": "q.dlq", "source_queue_name": "q", "retry_queue_name": "q.retry",
                "reason": "timeout", "retry_attempt": 1, "max_retries": 1, "dead_lettered_at": "2026-11-16T12:00:00.5+00:00",
                "state": "dead_lettered", "headers": {}, "body": 7 });
            bench.cli(&format!("SET relayna:dlq:record:d1 '{foreign}'")).await;
            bench.cli("LPUSH relayna:dlq:records d1").await;
            assert_eq!(names(&page(&plane, &RecordFilter::default(), None, 5).await), ["d1"]);
            let done = plane.dead_letters().records().replay(&id("d1"), &asked("r")).await.unwrap().unwrap();
            assert_eq!((done.job_id.as_str(), done.target_queue_name.as_str()), ("d1.r1", "q.retry"));
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            keep(&plane, record("d1", "a.dlq", 1)).await;
            let seen: Value = serde_json::from_str(&text(bench, "GET relayna:dlq:record:d1").await).unwrap();
            assert_eq!((&seen["state"], &seen["replay_count"], &seen["body"]["n"]), (&json!("dead_lettered"), &json!(0), &json!(1)));
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_dead_letter_index() {
    both_directions(
        FamilyId::RelaynaDeadLetterIndex,
        async |bench| {
            let plane = plane(bench, &[]).await;
            for (name, second) in [("d1", 1), ("d2", 2)] {
                bench
                    .cli(&format!("SET relayna:dlq:record:{name} '{}'", {
                        let mut one = record(name, "a.dlq", second);
                        one["state"] = "dead_lettered".into();
                        one
                    }))
                    .await;
                bench.cli(&format!("LPUSH relayna:dlq:records {name}")).await;
            }
            assert_eq!(plane.dead_letters().records().queues().await.unwrap()[0].indexed_count, 2);
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            keep(&plane, record("d1", "a.dlq", 1)).await;
            keep(&plane, record("d2", "a.dlq", 2)).await;
            assert_eq!(text(bench, "LINDEX relayna:dlq:records 0").await, "d2", "the newest is at the head");
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_replay_lock() {
    both_directions(
        FamilyId::RelaynaReplayLock,
        async |bench| {
            let plane = plane(bench, &[]).await;
            keep(&plane, record("d1", "a.dlq", 1)).await;
            bench.cli("SET relayna:dlq:replay-lock:d1 1 NX EX 30").await;
            let records = plane.dead_letters().records();
            assert_eq!(refused(records.replay(&id("d1"), &asked("r")).await.unwrap()).code, "replay_claimed");
            assert_eq!(
                text(bench, "GET relayna:dlq:replay-lock:d1").await,
                "1",
                "it is another client's, and stays"
            );
            records.replay(&id("d1"), &Again { force: true, ..asked("f") }).await.unwrap().unwrap();
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            keep(&plane, record("d1", "a.dlq", 1)).await;
            plane.dead_letters().records().replay(&id("d1"), &asked("r")).await.unwrap().unwrap();
            // A replay is one step, so an old client finds no lock, and a record that says it was replayed.
            assert_eq!(
                bench.cli("SET relayna:dlq:replay-lock:d1 1 NX EX 30").await,
                quorate_store::Value::Okay
            );
            assert!(text(bench, "GET relayna:dlq:record:d1").await.contains("\"state\":\"replayed\""));
        },
    )
    .await;
}

fn by_hand(request: &str) -> Manual {
    Manual { request: request.into(), who: "ann".into(), ..Manual::default() }
}

#[tokio::test]
async fn failed_tasks_are_found_by_what_is_known_of_them_and_when_they_failed() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        for n in 0..10_u32 {
            let mut one = record(&format!("d{n}"), "a.dlq", n);
            (one["worker_id"], one["service_name"]) = (format!("w{}", n % 2).into(), "pay".into());
            // It failed an hour before it was given up, without saying in which zone.
            one["failed_at"] = format!("2026-11-16T11:00:{n:02}").into();
            keep(&plane, one).await;
        }
        let records = plane.dead_letters().records();
        let find = async |failed: FailedFilter| {
            let filter = RecordFilter { failed, ..RecordFilter::default() };
            let page = records.failed(&filter, None, 50).await.unwrap().unwrap();
            page.items.into_iter().map(|task| task.failure_id).collect::<Vec<_>>()
        };
        let at = |text: &str| quorate_plane::tasks::moment(text);
        let window = FailedFilter {
            from: at("2026-11-16T11:00:03Z"),
            to: at("2026-11-16T12:00:05+01:00"),
            ..FailedFilter::default()
        };
        assert_eq!(find(window.clone()).await, ["d5", "d4", "d3"], "moments are compared across zones");
        assert_eq!(find(FailedFilter { worker_id: Some("w1".into()), ..window }).await, ["d5", "d3"]);
        let of = |name: &str, value: &str| {
            let value = Some(value.to_owned());
            match name {
                "error" => FailedFilter { error_type: value, ..FailedFilter::default() },
                "queue" => FailedFilter { queue_name: value, ..FailedFilter::default() },
                "dlq" => FailedFilter { dlq_name: value, ..FailedFilter::default() },
                "service" => FailedFilter { service_name: value, ..FailedFilter::default() },
                _ => FailedFilter { status: value, ..FailedFilter::default() },
            }
        };
        for (name, value, count) in [
            ("error", "RuntimeError", 10),
            ("error", "Other", 0),
            ("queue", "tasks", 10),
            ("dlq", "a.dlq", 10),
            ("dlq", "b.dlq", 0),
            ("service", "pay", 10),
            ("status", "DLQ", 10),
            ("status", "retry_exhausted", 0),
        ] {
            assert_eq!(find(of(name, value)).await.len(), count, "{name} {value}");
        }
        let score = text(bench, "ZSCORE relayna:failed_tasks:index d7").await;
        assert_eq!(score.parse::<f64>().unwrap(), 1_794_826_807.0, "when it failed, in seconds");
        records.drop(&id("d7"), "ann", "a test").await.unwrap().unwrap();
        assert_eq!(text(bench, "ZCARD relayna:failed_tasks:index").await, "9");
        bench.cli("ZREM relayna:failed_tasks:index d1").await;
        bench.cli("ZADD relayna:failed_tasks:index 1 nobody").await;
        let invariant = quorate_plane::dead_letters::invariants();
        let invariant = invariant.iter().find(|own| own.code() == "FSCK111").unwrap();
        for finding in &invariant.check(&bench.scope).await.unwrap() {
            assert!(invariant.repair(&bench.scope, finding).await.unwrap(), "{finding:?}");
        }
        assert_eq!(text(bench, "ZCARD relayna:failed_tasks:index").await, "9");
    })
    .await;
}

/// Systems 2e.4: Relayna's retry by hand takes no lock, so a double click publishes twice. Here sixteen clicks publish once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_clicks_retry_a_failed_task_once() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        keep(&plane, record("d1", "a.dlq", 1)).await;
        let clicks = (0..16).map(|n| {
            let plane = plane.clone();
            tokio::spawn(async move {
                plane
                    .dead_letters()
                    .records()
                    .retry_by_hand(&id("d1"), &by_hand(&format!("r{n}")))
                    .await
                    .unwrap()
            })
        });
        let mut done = 0;
        for click in clicks.collect::<Vec<_>>() {
            match click.await.unwrap() {
                Outcome::Done(_) => done += 1,
                Outcome::Refused(why) => assert!(why.is("already_replayed") || why.is("conflict"), "{why:?}"),
            }
        }
        let made = jobs(&plane, "tasks").await;
        assert_eq!((done, made.len()), (1, 1), "where it came from, once");
        let headers = &made[0].1["headers"];
        assert_eq!(
            (&headers["x-relayna-manual-retry-from-failure-id"], &headers["x-relayna-retry-attempt"]),
            (&json!("d1"), &json!(0))
        );
        assert_eq!(
            (&headers["x-relayna-failure-reason"], &headers["x-relayna-replayed-from-dlq"]),
            (&Value::Null, &Value::Null)
        );
        let records = plane.dead_letters().records();
        let again = Manual {
            force: true,
            note: Some("with less".into()),
            target_queue: Some("small".into()),
            override_payload: Some("{\"task_id\":\"other\"}".into()),
            ..by_hand("again")
        };
        let told = records.retry_by_hand(&id("d1"), &again).await.unwrap().unwrap();
        assert_eq!((told.target_queue.as_str(), told.retried_task_id.as_deref()), ("small", Some("other")));
        let mut lost = record("d2", "a.dlq", 2);
        lost["payload_available"] = false.into();
        keep(&plane, lost).await;
        assert_eq!(refused(records.retry_by_hand(&id("d2"), &by_hand("x")).await.unwrap()).code, "no_body");
        let mut alive = record("d3", "a.dlq", 3);
        alive["status"] = "running".into();
        keep(&plane, alive).await;
        assert_eq!(refused(records.retry_by_hand(&id("d3"), &by_hand("x")).await.unwrap()).code, "not_ended");
    })
    .await;
}

/// What a newer client of Relayna writes about a review is what counts, and it reads what we write.
#[tokio::test]
async fn reviews_and_retries_of_newer_clients_count_and_ours_are_read_by_them() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let mut theirs = record("d1", "a.dlq", 1);
        for (name, value) in [
            ("state", "dead_lettered"),
            ("investigation_status", "investigated"),
            ("investigated_by", "bob"),
            ("retry_status", "retried"),
        ] {
            theirs[name] = value.into();
        }
        bench.cli(&format!("SET relayna:dlq:record:d1 '{theirs}'")).await;
        bench.cli("LPUSH relayna:dlq:records d1").await;
        bench.cli("ZADD relayna:failed_tasks:index 1794830401 d1").await;
        let records = plane.dead_letters().records();
        let looked = RecordFilter { investigated: Some(true), ..RecordFilter::default() };
        let page = records.failed(&looked, None, 5).await.unwrap().unwrap();
        let one = &page.items[0];
        assert_eq!((one.investigated_by.as_deref(), one.retry_status.as_str()), (Some("bob"), "retried"));
        assert_eq!(
            refused(records.retry_by_hand(&id("d1"), &by_hand("r")).await.unwrap()).code,
            "already_replayed"
        );
        keep(&plane, record("d2", "a.dlq", 2)).await;
        records.review(&id("d2"), "ann", Some("a full disk")).await.unwrap().unwrap();
        records.retry_by_hand(&id("d2"), &by_hand("r")).await.unwrap().unwrap();
        let raw: Value = serde_json::from_str(&text(bench, "GET relayna:dlq:record:d2").await).unwrap();
        for (name, value) in [
            ("investigation_status", "investigated"),
            ("investigated_by", "ann"),
            ("investigation_note", "a full disk"),
            ("retry_status", "retried"),
            ("retried_by", "ann"),
            ("retry_target_queue", "tasks"),
        ] {
            assert_eq!(raw[name], value, "{name}");
        }
    })
    .await;
}

/// D4 for relayna's records: replayers of one store that are killed at any moment, and each record makes one job.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replayers_that_are_killed_make_one_job_of_each_record() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let (count, kills) = (size(150, 1_000), size(16, 64));
        for n in 0..count {
            keep(&plane, record(&format!("d{n:04}"), "a.dlq", u32::try_from(n).unwrap())).await;
        }
        let replayer = |name: String| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_queue-worker"));
            let namespace = bench.scope.keys.namespace_text();
            command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':')).arg(name);
            command.args(["retry", "/dev/null", "1", "1000"]);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            Worker::spawn(&mut command).unwrap()
        };
        let mut replayers: Vec<Worker> = (0..4).map(|n| replayer(format!("r{n}"))).collect();
        for kill in 0..kills {
            tokio::time::sleep(Duration::from_millis(15)).await;
            replayers[kill % 4].kill9().unwrap();
            replayers[kill % 4] = replayer(format!("s{kill}"));
        }
        for one in &mut replayers {
            assert!(one.wait(Duration::from_secs(60)).unwrap().is_some(), "it ends when nothing is open");
        }
        let made: BTreeSet<String> = jobs(&plane, "tasks").await.into_iter().map(|(job, _)| job).collect();
        let expected: BTreeSet<String> = (0..count).map(|n| format!("d{n:04}.r1")).collect();
        assert_eq!(jobs(&plane, "tasks").await.len(), count, "one job for each record");
        assert_eq!(made, expected);
        say(&format!("D4: {count} records, {kills} killed replayers: one job each"));
    })
    .await;
}
