//! `cargo xtask bench status`: status events with dedupe, history, feed and fan-out, beside one script of the same writes that
//! checks nothing, and beside an asyncio client of redis-py that sends the seed's separate commands.
//!
//! Every run checks that each event is in its history and in the feed's count. The server is the carried one with its
//! append-only file, synced every second. What is compared takes turns, and the ratio is the median of rounds that followed
//! each other. The bars are those of the design: 12 times the seed's commands, 0.6 of one bare script, 2 ms to a subscriber.

#![expect(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

mod bare;

use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_plane::channels::Heard;
use quorate_plane::json::Object;
use quorate_plane::tasks::{Report, Taken};
use quorate_testkit::Bench;

/// Events of one run, how many of them are of one task, and calls at once.
pub(crate) const EVENTS: usize = 20_000;
pub(crate) const OF_A_TASK: usize = 5;
pub(crate) const AT_ONCE: usize = 50;

/// Rounds, `QUORATE_BENCH_ROUNDS`.
fn rounds() -> usize {
    std::env::var("QUORATE_BENCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::verbatim().await;
    bench.cli("CONFIG SET appendfsync everysec").await;
    let plane = Plane::new(bench.scope.clone()).expect("a plain deployment");
    let (mut ours, mut bare, mut seed) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds() {
        let cost = Cost::now(&bench).await;
        ours.push(report(&bench, &plane, round).await);
        cost.say(&bench, "quorate").await;
        let cost = Cost::now(&bench).await;
        bare.push(bare::run(&bench, round).await);
        cost.say(&bench, "one bare script").await;
        seed.extend(redis_py(&bench, round));
    }
    println!(
        "{EVENTS} events, {OF_A_TASK} of a task, {AT_ONCE} at once, median of {} rounds, events a second",
        rounds()
    );
    for (name, rates) in [
        ("quorate", &ours),
        ("one bare script of the same writes", &bare),
        ("redis-py, the seed's commands", &seed),
    ] {
        match median(rates) {
            Some(rate) => println!("  {name:<40} {rate:>9.0}"),
            None => println!("  {name:<40} was not measured"),
        }
    }
    compare("quorate / one bare script", &ours, &bare, "bar 0.6");
    compare("quorate / redis-py", &ours, &seed, "bar 12");
    let (p50, p99) = to_subscriber(&plane).await;
    println!("event to subscriber: p50 {p50:.2} ms, p99 {p99:.2} ms  (bar 2 ms)");
}

/// Processor time of the server and of this process, in seconds.
struct Cost(f64, f64);

impl Cost {
    async fn now(bench: &Bench) -> Self {
        let info = bench.scope.store.info("cpu").await.expect("INFO cpu");
        let seconds = |name| info.get(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
        // User and system time of this process, which Linux counts in hundredths of a second.
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
        Self(seconds("used_cpu_user") + seconds("used_cpu_sys"), (ticks(11) + ticks(12)) / 100.0)
    }

    async fn say(&self, bench: &Bench, name: &str) {
        let now = Self::now(bench).await;
        let [server, client] = [now.0 - self.0, now.1 - self.1].map(|seconds| seconds * 1e6 / EVENTS as f64);
        println!("  {name}: server {server:.1} µs, client {client:.1} µs an event");
    }
}

/// An event as workers send it.
pub(crate) fn event(round: usize, number: usize) -> (String, String) {
    let task = format!("task-{round}-{}", number / OF_A_TASK);
    let step = number % OF_A_TASK;
    let document = format!(
        "{{\"status\":\"running\",\"event_id\":\"evt-{round}-{number}\",\"message\":\"step {step} of 5\",\"meta\":{{\"step\":{step},\"worker\":\"worker-7\"}},\"correlation_id\":\"order-{round}\"}}"
    );
    (task, document)
}

async fn report(bench: &Bench, plane: &Plane, round: usize) -> f64 {
    bench.cli("FLUSHALL").await;
    let begin = Instant::now();
    let sender = async |place: usize| {
        for number in (place * OF_A_TASK..EVENTS).step_by(AT_ONCE * OF_A_TASK) {
            for number in number..number + OF_A_TASK {
                let (task, document) = event(round, number);
                let document = Object::parse(&document).expect("an object");
                let report = Report::of(TaskId::parse(&task).expect("a task"), document).expect("an event");
                let taken = plane.tasks().report(&report).await.expect("answers").unwrap();
                assert!(matches!(taken, Taken::Accepted(_)), "{taken:?}");
            }
        }
    };
    join_all((0..AT_ONCE).map(sender)).await;
    let rate = EVENTS as f64 / begin.elapsed().as_secs_f64();
    let last = TaskId::parse(&event(round, EVENTS - 1).0).expect("a task");
    assert_eq!(
        plane.tasks().show(&last).await.expect("answers").and_then(|task| task.events),
        Some(OF_A_TASK as u64)
    );
    rate
}

/// An asyncio client of redis-py, if `cargo xtask bench` has prepared one.
fn redis_py(bench: &Bench, round: usize) -> Option<f64> {
    let line = std::env::var("QUORATE_BENCH_REDIS_PY").ok()?;
    let mut words = line.split(' ');
    let mut command = Command::new(words.next()?);
    command.args(words).env("PEER_URL", bench.node.url().reveal()).env("PEER_ROUND", format!("py-{round}"));
    command.env("PEER_EVENTS", (EVENTS / 4).to_string()).env("PEER_CLIENTS", AT_ONCE.to_string());
    let output = command.output().expect("the peer starts");
    assert!(output.status.success(), "the peer failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// From the call that reports to the message that is heard, one event at a time.
async fn to_subscriber(plane: &Plane) -> (f64, f64) {
    let mut channels = plane.tasks().channels().await.expect("listens");
    let mut all = Vec::new();
    for number in 0..2_000 {
        let task = TaskId::parse(&format!("heard-{number}")).expect("a task");
        let report = Report::new(task, "running").expect("an event");
        let begin = Instant::now();
        let tasks = plane.tasks();
        let (taken, heard) = tokio::join!(tasks.report(&report), channels.next());
        taken.expect("answers").unwrap();
        assert!(matches!(heard, Heard::Event { .. }), "{heard:?}");
        all.push(begin.elapsed().as_secs_f64() * 1e3);
        tokio::time::sleep(Duration::from_micros(200)).await;
    }
    (percentile(&all, 0.5).unwrap_or_default(), percentile(&all, 0.99).unwrap_or_default())
}

fn compare(name: &str, own: &[f64], other: &[f64], bar: &str) {
    let ratios: Vec<f64> = own.iter().zip(other).map(|(own, other)| own / other).collect();
    if let Some(ratio) = median(&ratios) {
        println!("  {name:<40} {ratio:>9.2}  ({bar})");
    }
}

fn median(all: &[f64]) -> Option<f64> {
    percentile(all, 0.5)
}

fn percentile(all: &[f64], share: f64) -> Option<f64> {
    let mut all = all.to_vec();
    all.sort_by(f64::total_cmp);
    all.get(((all.len().max(1) as f64 - 1.0) * share).round() as usize).copied()
}
