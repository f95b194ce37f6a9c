//! `cargo xtask bench queues`: full cycles of no-op items beside BullMQ, apalis-redis and scripts that only write, in one run.
//!
//! Every run checks that each item was delivered exactly once. The server is the carried one with its append-only file,
//! synced every second. What is compared takes turns, and the ratio is the median of rounds that followed each other. The
//! bars are those of the design: the worker four times BullMQ, one call for each step twice, both 0.7 of bare scripts.

#![expect(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

mod bare;
mod depth;
mod measure;
mod ours;
mod peers;
mod steps;

use std::time::Duration;

use measure::{Cost, Row, median};
use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_plane::agents::Registration;
use quorate_plane::queues::Queue;
use quorate_testkit::Bench;

/// Items of one run, handlers or tasks at once, and runs of each variant.
pub(crate) const JOBS: usize = 20_000;
pub(crate) const TASKS: usize = 50;
const ROUNDS: usize = 5;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::verbatim().await;
    bench.cli("CONFIG SET appendfsync everysec").await;
    let plane = Plane::new(bench.scope.clone()).expect("a plain deployment");
    for task in 0..TASKS {
        let registration =
            Registration { lease: Duration::from_secs(3_600), ..Registration::new(agent(task)) };
        plane.agents().register(&registration).await.expect("registers").unwrap();
    }
    let batch = ours::worker(&bench, &plane).await.batch;
    println!("{JOBS} no-op items, concurrency {TASKS}, median of {ROUNDS} rounds, items a second");
    let rows = rounds(&bench, &plane, batch).await;
    report(&rows, batch);
    println!("dispatch to an idle worker, p99");
    println!("  quorate {:>28.2} ms  (bar 2 ms)", ours::dispatch(&plane).await);
    println!("  a bare blocking read {:>15.2} ms", bare::blocking_read(&bench).await);
    match median(&rows.bull_p99) {
        Some(p99) => println!("  BullMQ {p99:>29.2} ms"),
        None => println!("  BullMQ was not measured"),
    }
    steps::report(&bench, &plane).await;
    depth::flat(&bench, &plane).await;
}

/// What the rounds gave.
struct Rows {
    bulk: Row,
    worker: Row,
    single: Row,
    bare_single: Row,
    bare_sixteen: Row,
    bare_batch: Row,
    bull_bulk: Row,
    bull: Row,
    apalis: Row,
    bull_p99: Vec<f64>,
}

async fn rounds(bench: &Bench, plane: &Plane, batch: usize) -> Rows {
    let mut rows = Rows {
        bulk: Row::new("push in bulk"),
        worker: Row::new("worker, full cycle"),
        single: Row::new("a call for each push, claim and ack"),
        bare_single: Row::new("bare scripts, one at a time"),
        bare_sixteen: Row::new("bare scripts, batches of 16"),
        bare_batch: Row::new("bare scripts, the worker's batches"),
        bull_bulk: Row::new("BullMQ addBulk"),
        bull: Row::new("BullMQ, full cycle"),
        apalis: Row::new("apalis-redis, full cycle"),
        bull_p99: Vec::new(),
    };
    for _ in 0..ROUNDS {
        let cost = Cost::now(bench).await;
        rows.bare_batch.add_with(bare::advance(bench, batch).await, cost.since(bench).await);
        let cost = Cost::now(bench).await;
        let run = ours::worker(bench, plane).await;
        rows.worker.add_with(run.full, cost.since(bench).await);
        rows.bulk.add(run.push);
        let cost = Cost::now(bench).await;
        rows.bare_sixteen.add_with(bare::cycle(bench, 16).await, cost.since(bench).await);
        let cost = Cost::now(bench).await;
        rows.single.add_with(ours::single(plane).await, cost.since(bench).await);
        let cost = Cost::now(bench).await;
        rows.bare_single.add_with(bare::cycle(bench, 1).await, cost.since(bench).await);
        if let Some([push, full, p99]) = peers::bullmq(bench.node.port()) {
            rows.bull_bulk.add(push);
            rows.bull.add(full);
            rows.bull_p99.push(p99);
        }
        if let Some(full) = peers::apalis(&bench.node.url().reveal()) {
            rows.apalis.add(full);
        }
    }
    rows
}

fn report(rows: &Rows, batch: usize) {
    let all =
        [&rows.bulk, &rows.worker, &rows.single, &rows.bare_single, &rows.bare_sixteen, &rows.bare_batch];
    let peers = [&rows.bull_bulk, &rows.bull, &rows.apalis];
    all.into_iter().chain(peers).for_each(Row::print);
    println!("the worker's calls had {batch} items on average; ratios, median of the rounds");
    rows.worker.compare(&rows.bull, "bar 4, wanted 5");
    rows.worker.compare(&rows.apalis, "no bar");
    rows.worker.compare(&rows.bare_sixteen, "bar 0.7");
    rows.worker.compare(&rows.bare_batch, "bar 0.7");
    rows.single.compare(&rows.bull, "bar 2");
    rows.single.compare(&rows.bare_single, "bar 0.7");
    rows.bulk.compare(&rows.bull_bulk, "bar 3");
}

pub(crate) fn agent(task: usize) -> AgentId {
    AgentId::parse(&format!("agent-{task}")).expect("an id")
}

pub(crate) fn queue(name: &str) -> Queue {
    name.parse().expect("a queue")
}
