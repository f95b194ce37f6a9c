//! Relayna's store of dead letters: pages, sums, replays that are made once, reviews, and the seed's own commands.

use crate::support::raw::text;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{plane, refused};
use quorate_catalog::FamilyId;
use quorate_catalog::ids::{DeadLetterId, QueueNameId};
use quorate_plane::dead_letters::{Again, FailedFilter, Manual, Page, RecordFilter};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::FromRedisValue;
use quorate_store::cmd;
use quorate_testkit::chaos::Worker;
use quorate_testkit::conformance::both_directions;
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check, check_verbatim};
use serde_json::{Value, json};

mod conformance;
mod failed;
mod of_task;

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
        let plain = "{\"dlq_id\":\"d0\",\"queue_name\":\"q\",\"reason\":\"x\",\"body\":1}";
        assert_eq!(records.keep(plain).await.unwrap().unwrap(), ("d0".to_owned(), false));
        records.review(&id("d0"), "ann", Some("seen")).await.unwrap().unwrap();
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert_eq!(records.keep(plain).await.unwrap().unwrap(), ("d0".to_owned(), true), "sent again, later");
        let changed = plain.replace("1}", "2}");
        assert_eq!(refused(records.keep(&changed).await.unwrap()).code, "record_exists");
        let gone = records.drop(&id("d0"), "ann", "done").await.unwrap();
        assert!(gone.refusal().is_none(), "{gone:?}");
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
    assert_eq!(findings.len(), 3, "the index of d1's task names it too: {findings:?}");
    for finding in &findings {
        assert!(invariant.repair(&bench.scope, finding).await.unwrap(), "{finding:?}");
    }
    assert!(invariant.check(&bench.scope).await.unwrap().is_empty());
}

/// A foreign client keeps no index of ours: that is no fault, and whoever asks next takes the record in.
#[tokio::test]
async fn fsck_takes_a_record_of_another_client_for_no_fault() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    let mut theirs = record("d1", "a.dlq", 1);
    theirs["state"] = "dead_lettered".into();
    let key = plane.keys().relayna().dead_letter(&id("d1"));
    plane.store().query::<()>(cmd("SET").arg(key.as_str()).arg(theirs.to_string())).await.unwrap();
    bench.cli("LPUSH relayna:dlq:records d1").await;
    let all = quorate_plane::dead_letters::invariants();
    let invariant = all.iter().find(|own| own.code() == "FSCK111").unwrap();
    let findings = invariant.check(&bench.scope).await.unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].level, quorate_store::invariant::Level::Information, "{findings:?}");
    assert!(invariant.repair(&bench.scope, &findings[0]).await.unwrap());
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

/// Relayna's clients delete a record and leave its name: nobody counts it, and it costs nobody a call.
#[tokio::test]
async fn sums_are_right_at_once_for_a_store_that_was_there_before() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    let (mut set, mut push) = (cmd("MSET"), cmd("LPUSH"));
    push.arg(plane.keys().relayna().dead_letter_index().as_str());
    for n in 0..2_600_u32 {
        let name = format!("d{n:04}");
        let mut one = record(&name, if n % 2 == 0 { "a.dlq" } else { "b.dlq" }, n);
        one["state"] = "dead_lettered".into();
        if n < 2_400 {
            set.arg(plane.keys().relayna().dead_letter(&id(&name)).as_str()).arg(one.to_string());
        }
        push.arg(name);
    }
    plane.store().query::<()>(&set).await.unwrap();
    plane.store().query::<u64>(&push).await.unwrap();
    let mut sums = plane.dead_letters().records().queues().await.unwrap();
    sums.sort_by(|a, b| a.queue_name.cmp(&b.queue_name));
    let counts: Vec<(&str, u64)> =
        sums.iter().map(|sum| (sum.queue_name.as_str(), sum.indexed_count)).collect();
    assert_eq!(counts, [("a.dlq", 1_200), ("b.dlq", 1_200)]);
    bench.cli("CONFIG RESETSTAT").await;
    assert_eq!(page(&plane, &RecordFilter::default(), None, 5).await.items.len(), 5);
    let stats = String::from_redis_value(bench.cli("INFO commandstats").await).unwrap();
    let gets = stats.lines().find(|line| line.starts_with("cmdstat_get:")).map_or("", |line| line);
    assert!(gets.is_empty() || gets.contains("calls=1,"), "{gets}");
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
