//! The audit trail: one record for each request, sealed by whoever lives, and every change of it found.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{later, plane};
use quorate_plane::trail::{Anchor, Filter, Record, Verified};
use quorate_plane::{Plane, invariants};
use quorate_store::{FromRedisValue, Value};
use quorate_testkit::chaos::Worker;
use quorate_testkit::{Bench, check};
use serde_json::json;

const WORKER: &str = env!("CARGO_BIN_EXE_seal-worker");

fn record(number: usize) -> Record {
    Record {
        who: format!("user-{}", number % 3),
        via: "cli".into(),
        action: if number.is_multiple_of(2) { "agents.revoke" } else { "queues.pause" }.into(),
        target: format!("t{}", number % 5),
        before: Some(json!({ "n": number })),
        after: Some(json!({ "n": number + 1 })),
        request: format!("r{number}"),
        result: "ok".into(),
    }
}

async fn write(plane: &Plane, from: usize, to: usize) {
    for number in from..to {
        plane.trail().record(&record(number)).await.unwrap();
    }
}

/// The same, many at a time.
async fn write_many(plane: &Plane, from: usize, to: usize) {
    use futures_util::StreamExt;
    let all = futures_util::stream::iter(
        (from..to).map(|number| async move { plane.trail().record(&record(number)).await }),
    );
    all.buffer_unordered(64).for_each(|done| async move { done.unwrap() }).await;
}

/// A trail of two whole batches and a part of one.
async fn sealed(bench: &Bench) -> Plane {
    let plane = plane(bench, &[]).await;
    write_many(&plane, 0, 1_100).await;
    assert_eq!(later(bench, 10).trail().seal().await.unwrap().records, 1_100);
    plane
}

type Entries = Vec<(String, Vec<String>)>;

fn key(bench: &Bench, name: &str) -> String {
    format!("{}~q:audit:{name}", bench.scope.keys.namespace_text())
}

async fn entries(bench: &Bench, name: &str) -> Entries {
    Entries::from_redis_value(bench.cli(&format!("XRANGE {} - +", key(bench, name))).await).unwrap()
}

/// Writes a stream anew, as somebody would who wants nobody to notice.
async fn rewrite(bench: &Bench, name: &str, entries: &Entries) {
    let mut all = redis::pipe();
    all.cmd("DEL").arg(key(bench, name));
    for (id, fields) in entries {
        all.cmd("XADD").arg(key(bench, name)).arg(id).arg(fields);
    }
    bench.scope.store.pipeline::<Value>(&all).await.unwrap();
}

/// What is found when the records are changed so; the trail is as it was afterwards, which the end of the test checks.
async fn after(bench: &Bench, plane: &Plane, name: &str, change: impl FnOnce(&mut Entries)) -> Verified {
    let whole = entries(bench, name).await;
    let mut changed = whole.clone();
    change(&mut changed);
    rewrite(bench, name, &changed).await;
    let found = plane.trail().verify().await.unwrap();
    rewrite(bench, name, &whole).await;
    found
}

fn kinds(found: &Verified) -> Vec<&'static str> {
    found.findings.iter().map(|fault| fault.kind).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_has_one_record_however_often_it_is_made() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let racers = (0..320).map(|number| {
            let plane = plane.clone();
            tokio::spawn(async move { plane.trail().record(&record(number % 10)).await.unwrap() })
        });
        for one in racers.collect::<Vec<_>>() {
            one.await.unwrap();
        }
        let page = plane.trail().ls(&Filter::default()).await.unwrap();
        let mut requests: Vec<&str> = page.records.iter().map(|entry| entry.request.as_str()).collect();
        requests.sort_unstable();
        assert_eq!(requests, ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9"]);
        let unnamed = Record { request: String::new(), ..record(1) };
        assert!(plane.trail().record(&unnamed).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn records_are_found_by_who_what_and_when_a_page_at_a_time() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        write(&plane, 0, 1_200).await;
        let find = async |filter: Filter| plane.trail().ls(&filter).await.unwrap();
        let newest = &find(Filter { limit: 1, ..Filter::default() }).await.records[0];
        assert_eq!(
            (newest.request.as_str(), newest.n, &newest.before),
            ("r1199", 1_200, &Some(json!({ "n": 1_199 })))
        );
        let by = Filter { who: Some("user-1".into()), action: Some("agents".into()), ..Filter::default() };
        let found = find(Filter { target: Some("t0".into()), limit: 1_000, ..by }).await;
        assert!(found.records.len() == 40 && found.cursor.is_none(), "{}", found.records.len());
        assert!(find(Filter { action: Some("agent".into()), ..Filter::default() }).await.records.is_empty());
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let page =
                find(Filter { limit: 7, cursor, action: Some("queues.pause".into()), ..Filter::default() })
                    .await;
            seen.extend(page.records.iter().map(|entry| entry.n));
            cursor = page.cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert!(seen.len() == 600 && seen.is_sorted_by(|one, next| one > next), "each once, newest first");
        let future = bench.scope.store.time().await.unwrap().plus(Duration::from_secs(60));
        assert!(find(Filter { since: Some(future), ..Filter::default() }).await.records.is_empty());
        for bad in ["", "x", "1", "1-x", "-", "1-1 COUNT"] {
            let filter = Filter { cursor: Some(bad.into()), ..Filter::default() };
            assert!(plane.trail().ls(&filter).await.is_err(), "{bad}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_record_waits_a_second_for_others_or_for_a_whole_batch() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        write(&plane, 0, 3).await;
        assert_eq!(plane.trail().seal().await.unwrap().batches, 0, "too young, and too few");
        assert_eq!(later(bench, 2).trail().seal().await.unwrap().records, 3);
        write(&plane, 3, 503).await;
        let done = plane.trail().seal().await.unwrap();
        assert_eq!((done.batches, done.records), (1, 500), "a whole batch waits for nobody");
        let found = plane.trail().verify().await.unwrap();
        assert_eq!((found.records, found.batches, found.unsealed, found.faults), (503, 2, 0, 0));
    })
    .await;
}

#[tokio::test]
async fn an_edit_a_deletion_an_insertion_and_a_swap_are_found_and_told() {
    check(&invariants(), async |bench| {
        let plane = sealed(bench).await;
        let whole = plane.trail().verify().await.unwrap();
        assert_eq!((whole.records, whole.batches, whole.unsealed, whole.faults), (1_100, 3, 0, 0));
        for place in [0, 499, 500, 1_099] {
            let batch = Some(place as u64 / 500 + 1);
            let edited = after(bench, &plane, "records", |all| all[place].1[5].push('x')).await;
            assert_eq!((kinds(&edited), edited.findings[0].batch), (vec!["edited"], batch), "{place}");
            let deleted = after(bench, &plane, "records", |all| drop(all.remove(place))).await;
            assert_eq!(kinds(&deleted)[0], "deleted", "{place}: {:?}", deleted.findings);
            let renamed = after(bench, &plane, "records", |all| all[place].1[4] = "whom".into()).await;
            assert_eq!(kinds(&renamed), ["edited"], "{place}");
        }
        let inserted = after(bench, &plane, "records", |all| {
            let mut extra = all[700].clone();
            extra.0 = format!("{}-9999", extra.0.split('-').next().unwrap());
            all.insert(701, extra);
            all.sort_by_key(|(id, _)| {
                let (ms, n) = id.split_once('-').unwrap();
                (ms.parse::<u64>().unwrap(), n.parse::<u64>().unwrap())
            });
        })
        .await;
        assert_eq!((kinds(&inserted), inserted.findings[0].batch), (vec!["inserted"], Some(2)));
        let moved = after(bench, &plane, "records", |all| {
            let one = all[600].1.clone();
            all[600].1 = std::mem::replace(&mut all[601].1, one);
        })
        .await;
        assert_eq!((kinds(&moved), moved.findings[0].batch), (vec!["moved"], Some(2)));
        assert!(moved.findings[0].message.contains("records 501 to 1000"), "{:?}", moved.findings);
    })
    .await;
}

#[tokio::test]
async fn a_cut_end_and_a_changed_seal_are_found() {
    check(&invariants(), async |bench| {
        let plane = sealed(bench).await;
        let records = after(bench, &plane, "records", |all| all.truncate(1_000)).await;
        assert_eq!(kinds(&records), ["deleted"], "{:?}", records.findings);
        let all_gone = after(bench, &plane, "records", Vec::clear).await;
        assert_eq!(all_gone.faults, 3, "one for each batch");
        for place in 0..3 {
            let cut = after(bench, &plane, "seals", |all| drop(all.remove(place))).await;
            assert!(kinds(&cut).contains(&"cut"), "{place}: {:?}", cut.findings);
            let forged = after(bench, &plane, "seals", |all| {
                let hash = all[place].1.iter().position(|word| word == "hash").unwrap() + 1;
                all[place].1[hash] = "ab".repeat(32);
            })
            .await;
            assert!(kinds(&forged).contains(&"edited"), "{place}: {:?}", forged.findings);
        }
    })
    .await;
}

#[tokio::test]
async fn an_end_cut_off_with_the_head_rewritten_is_found_by_an_anchor() {
    let bench = Bench::start().await;
    let plane = sealed(&bench).await;
    let anchor = plane.trail().verify().await.unwrap().head.unwrap();
    assert_eq!(anchor.batch, 3);
    assert_eq!(plane.trail().verify_against(&anchor).await.unwrap().faults, 0);
    let (records, seals) = (entries(&bench, "records").await, entries(&bench, "seals").await);
    rewrite(&bench, "records", &records[..1_000].to_vec()).await;
    rewrite(&bench, "seals", &seals[..2].to_vec()).await;
    assert_eq!(
        kinds(&plane.trail().verify().await.unwrap()),
        ["cut", "cut"],
        "batches and records are missing"
    );
    let word = |name: &str| {
        let fields = &seals[1].1;
        fields[fields.iter().position(|word| word == name).unwrap() + 1].clone()
    };
    let (hash, last) = (word("hash"), word("last"));
    bench
        .cli(&format!(
            "HSET {} batch 2 sealed 1000 recorded 1000 hash {hash} last {last}",
            key(&bench, "head")
        ))
        .await;
    assert_eq!(
        plane.trail().verify().await.unwrap().faults,
        0,
        "whoever rewrites everything is not seen from inside"
    );
    assert_eq!(kinds(&plane.trail().verify_against(&anchor).await.unwrap()), ["cut"]);
    let old = Anchor { batch: 2, hash };
    assert_eq!(plane.trail().verify_against(&old).await.unwrap().faults, 0, "an older head is still there");
}

#[tokio::test]
async fn what_is_not_sealed_yet_is_counted() {
    check(&invariants(), async |bench| {
        let plane = sealed(bench).await;
        write(&plane, 1_100, 1_105).await;
        let found = plane.trail().verify().await.unwrap();
        assert_eq!((found.records, found.unsealed, found.faults), (1_105, 5, 0));
        for place in [1_100, 1_102, 1_104] {
            let gone = after(bench, &plane, "records", |all| drop(all.remove(place))).await;
            assert_eq!(gone.faults, 1, "{place}: {:?}", gone.findings);
        }
        let all = invariants();
        let report = quorate_audit::run(&bench.scope, &all, false, &|_, _| {}).await.unwrap();
        assert_eq!(report.information.len(), 0, "a moment is no delay");
        let mut scope = bench.scope.clone();
        scope.store = scope.store.with_clock(quorate_store::Clock::Offset(120_000_000));
        let report = quorate_audit::run(&scope, &all, false, &|_, _| {}).await.unwrap();
        assert_eq!(report.information.iter().map(|one| one.code).collect::<Vec<_>>(), ["FSCK075"]);
        rewrite(bench, "records", &entries(bench, "records").await[1..].to_vec()).await;
        let report = quorate_audit::run(&bench.scope, &all, true, &|_, _| {}).await.unwrap();
        assert_eq!(report.findings.iter().map(|one| one.code).collect::<Vec<_>>(), ["FSCK074"]);
        assert_eq!(report.repaired, 0, "nobody can know what it was");
        for name in ["records", "seals", "head", "requests"] {
            bench.cli(&format!("DEL {}", key(bench, name))).await;
        }
    })
    .await;
}

/// X6: writers write, sealers race and are killed; every record is there once, sealed once, and the chain holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sealers_race_and_die_and_the_chain_holds() {
    let (rounds, batch) = if std::env::var_os("QUORATE_SOAK").is_some() { (300, 400) } else { (10, 300) };
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        // Each clock is ahead of the last by more than a lease, so a claim of the dead is soon given up.
        let sealer = |ahead: usize| {
            let namespace = bench.scope.keys.namespace_text();
            let mut command = Command::new(WORKER);
            command
                .arg(bench.node.url().reveal())
                .arg(namespace.trim_end_matches(':'))
                .arg(ahead.to_string());
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            Worker::spawn(&mut command).expect("the sealer starts")
        };
        let mut sealers: Vec<Worker> = (0..3).map(|number| sealer(10 + number * 10)).collect();
        for round in 0..rounds {
            write_many(&plane, round * batch, (round + 1) * batch).await;
            let dies = round % sealers.len();
            sealers[dies].kill9().unwrap();
            sealers[dies] = sealer(40 + round * 10);
        }
        let ahead = i64::try_from(100 + rounds * 10).unwrap();
        let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
        while plane.trail().verify().await.unwrap().unsealed > 0 && tokio::time::Instant::now() < deadline {
            later(bench, ahead).trail().seal().await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        drop(sealers);
        let found = plane.trail().verify().await.unwrap();
        let total = (rounds * batch) as u64;
        assert_eq!((found.records, found.unsealed, &found.findings), (total, 0, &vec![]));
        let seals = entries(bench, "seals").await;
        let count = |fields: &Vec<String>| {
            let place = fields.iter().position(|word| word == "count").unwrap() + 1;
            fields[place].parse::<u64>().unwrap()
        };
        assert_eq!(
            seals.iter().map(|(_, fields)| count(fields)).sum::<u64>(),
            total,
            "each record is sealed once"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_sealers_at_once_make_one_chain() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        for round in 0..5 {
            write_many(&plane, round * 700, (round + 1) * 700).await;
            let sealers = (0..8).map(|_| {
                let plane = later(bench, 10);
                tokio::spawn(async move { plane.trail().seal().await.unwrap().records })
            });
            let mut records = 0;
            for one in sealers.collect::<Vec<_>>() {
                records += one.await.unwrap();
            }
            assert!(records <= 700, "no record twice: {records}");
        }
        later(bench, 30).trail().seal().await.unwrap();
        let found = plane.trail().verify().await.unwrap();
        assert_eq!((found.records, found.unsealed, found.faults), (3_500, 0, 0));
    })
    .await;
}

#[tokio::test]
async fn a_long_or_secret_document_is_not_kept_as_it_is() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let after = json!({ "token": "sesame-open", "note": "x".repeat(100_000) });
        plane
            .trail()
            .record(&Record { after: Some(after), target: "t".repeat(5_000), ..record(1) })
            .await
            .unwrap();
        let hostile = "a\u{0}b\nc\u{202e}\"}";
        plane.trail().record(&Record { who: hostile.into(), ..record(2) }).await.unwrap();
        let page = plane.trail().ls(&Filter::default()).await.unwrap();
        assert_eq!(page.records[0].who, hostile, "text is kept as it is; who shows it escapes it");
        let text = serde_json::to_string(&page).unwrap();
        assert!(text.len() < 5_000 && !text.contains("sesame"), "{text}");
    })
    .await;
}
