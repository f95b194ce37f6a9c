//! `cargo xtask bench search`: a search over a million task documents.
//!
//! The documents are of twenty services, five statuses, ten stages and three environments, and five of them belong together.
//! Measured are the first page of a search with two filters, a page in the middle, two filters that have nothing in common (each
//! call may look at 2,000 documents), how many documents a second are taken in and taken away, the memory of a document with
//! all its lists, and what the server's slow log has of commands over 10 ms. The bars are those of the design.

#![expect(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_plane::Plane;
use quorate_plane::search::{ServiceDocument, Sighting, TaskQuery};
use quorate_store::{FromRedisValue, Micros};
use quorate_testkit::Bench;

const AT_ONCE: usize = 50;
const QUERIES: usize = 2_000;
const STATUSES: [&str; 5] = ["queued", "running", "retrying", "completed", "failed"];
const ENVIRONMENTS: [&str; 3] = ["production", "staging", "test"];

/// Documents, `QUORATE_BENCH_DOCUMENTS`.
fn documents() -> usize {
    std::env::var("QUORATE_BENCH_DOCUMENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::verbatim().await;
    // What is measured reads; a journal of gigabytes would only make the disk busy.
    bench.cli("CONFIG SET appendonly no").await;
    bench.cli("CONFIG SET slowlog-log-slower-than 10000").await;
    bench.cli("CONFIG SET slowlog-max-len 100000").await;
    let plane = Plane::new(bench.scope.clone()).expect("a plain deployment");
    let before = memory(&bench).await;
    let begin = Instant::now();
    load(&plane).await;
    let (count, seconds) = (documents() as f64, begin.elapsed().as_secs_f64());
    println!("{} task documents taken in: {:.0} a second", documents(), count / seconds);
    println!("  memory: {:.0} bytes a document with all its lists", (memory(&bench).await - before) / count);
    say_slow(&bench, "taking in").await;
    pages(&plane).await;
    say_slow(&bench, "searching").await;
    away(&plane).await;
    say_slow(&bench, "taking away").await;
}

/// The same for every run: spread by multiplication, so that no two fields go together.
fn sighting(number: usize, begin: u64) -> Sighting {
    let spread = |by: usize, of: usize| (number.wrapping_mul(by) >> 7) % of;
    Sighting {
        service: ServiceId::parse(&format!("service-{:02}", spread(2_654_435_761, 20))).expect("a name"),
        service_name: format!("Service {:02}", spread(2_654_435_761, 20)),
        environment: ENVIRONMENTS[spread(40_503, 3)].to_owned(),
        task: TaskId::parse(&format!("0f3c{number:08x}-4d1a-9b7e")).expect("a name"),
        correlation_id: Some(format!("order-{:07}", number / 5)),
        status: Some(STATUSES[spread(2_246_822_519, 5)].to_owned()),
        stage: Some(format!("stage-{}", spread(3_266_489_917, 10))),
        event_type: "status.update".to_owned(),
        at: Some(Micros::from_millis(begin + number as u64 / 100)),
    }
}

async fn load(plane: &Plane) {
    let begin = plane.store().time().await.expect("answers").millis() - 20_000_000;
    let sender = async |place: usize| {
        for number in (place..documents()).step_by(AT_ONCE) {
            plane.search().note(&sighting(number, begin)).await.expect("answers").unwrap();
        }
    };
    join_all((0..AT_ONCE).map(sender)).await;
}

async fn pages(plane: &Plane) {
    let (mut first, mut second, mut apart) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..QUERIES {
        let known = sighting(number * 491, 0);
        let (service, status) = (Some(known.service.to_string()), known.status.clone());
        let mut query = match number % 3 {
            0 => TaskQuery { service_id: service, status, ..TaskQuery::default() },
            1 => TaskQuery { status, stage: known.stage.clone(), ..TaskQuery::default() },
            _ => TaskQuery {
                service_id: service,
                environment: Some(known.environment.clone()),
                ..TaskQuery::default()
            },
        };
        query.limit = 50;
        let begin = Instant::now();
        let page = plane.search().tasks(&query).await.expect("answers").unwrap();
        first.push(begin.elapsed());
        assert!(documents() < 1_000_000 || page.count == 50, "{page:?}");
        query.cursor = page.next_cursor;
        let begin = Instant::now();
        plane.search().tasks(&query).await.expect("answers").unwrap();
        second.push(begin.elapsed());
        // A task has one status, so what has the correlation of one and the status of none is nowhere.
        let nowhere = TaskQuery {
            stage: Some("stage-3".into()),
            status: Some("nowhere".into()),
            limit: 50,
            ..TaskQuery::default()
        };
        let far = TaskQuery {
            environment: Some("production".into()),
            service_id: Some("service-07".into()),
            stage: Some("stage-1".into()),
            status: Some("failed".into()),
            to: Some(Micros::from_millis(1)),
            limit: 50,
            ..TaskQuery::default()
        };
        let begin = Instant::now();
        plane.search().tasks(if number % 2 == 0 { &nowhere } else { &far }).await.expect("answers").unwrap();
        apart.push(begin.elapsed());
    }
    say("first page of two filters", &mut first, "bar 50 ms");
    say("second page", &mut second, "");
    say("filters that find nothing", &mut apart, "");
}

async fn away(plane: &Plane) {
    let service = ServiceId::parse("service-07").expect("a name");
    let document = ServiceDocument {
        service_id: service.to_string(),
        name: "Service 07".into(),
        environment: "production".into(),
        tags: vec![],
        status: "registered".into(),
        health_status: None,
        base_url: String::new(),
        auth_mode: "none".into(),
        last_seen_at: None,
    };
    plane.search().place(&service, &document).await.expect("answers").unwrap();
    plane.search().remove(&service).await.expect("answers").unwrap();
    let (begin, mut gone) = (Instant::now(), 0);
    loop {
        let some = plane.search().leave().await.expect("answers");
        gone += some;
        if some == 0 {
            break;
        }
    }
    println!(
        "{gone} documents of one service taken away: {:.0} a second",
        gone as f64 / begin.elapsed().as_secs_f64()
    );
}

async fn memory(bench: &Bench) -> f64 {
    let info = bench.scope.store.info("memory").await.expect("INFO memory");
    info.get("used_memory").and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// What was slow, and for how long the server has waited for a processor so far.
async fn say_slow(bench: &Bench, what: &str) {
    let slow = u64::from_redis_value(bench.cli("SLOWLOG LEN").await).unwrap_or_default();
    println!(
        "  commands over 10 ms while {what}: {slow}  (bar 0); the server has waited {:.1} s for a processor",
        bench.waited_for_a_processor().await
    );
    bench.cli("SLOWLOG RESET").await;
}

fn say(what: &str, times: &mut [Duration], bar: &str) {
    times.sort_unstable();
    let at = |part: usize| times[times.len() * part / 1_000].as_secs_f64() * 1_000.0;
    println!("{what}: p50 {:.2} ms, p99 {:.2} ms, most {:.2} ms  {bar}", at(500), at(990), at(999));
}
