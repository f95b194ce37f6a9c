//! Many on one lock: sixteen contenders beside two other libraries, and a queue of ten thousand.

use std::cell::{Cell, RefCell};
use std::process::Command;
use std::time::{Duration, Instant};

use quorate_plane::locks::{Acquire, Grant, Request, Resource};
use quorate_plane::{Outcome, Plane};
use quorate_testkit::Bench;

use super::agent;
use super::measure::{client_cpu, percentile, server_cpu};

const CLIENTS: usize = 16;
const RUN: Duration = Duration::from_secs(3);

/// Pairs a second: of clients that take the lock again as soon as they may, of clients that each take it once a round, and how
/// often a second the lock went from one client to another.
pub(crate) struct Rates {
    free: f64,
    rounds: f64,
    passed: f64,
}

/// Sixteen clients on one key, in fair order; and how long it takes from a release to the next holder.
pub(crate) async fn ours(bench: &Bench, plane: &Plane) -> Rates {
    let store = &bench.scope.store;
    let (server, client) = (server_cpu(store).await, client_cpu());
    bench.cli("CONFIG RESETSTAT").await;
    let end = Instant::now() + RUN;
    let (released, passed) = (Cell::new(None), RefCell::new(Vec::new()));
    let one = async |task: usize| {
        let mut done = 0_u64;
        while Instant::now() < end {
            let grant = take(plane, task).await;
            let now = Instant::now();
            passed.borrow_mut().extend(released.take().map(|at: Instant| now - at));
            released.set(Some(now));
            give(plane, task, grant).await;
            done += 1;
        }
        done
    };
    let counts = futures_util::future::join_all((0..CLIENTS).map(one)).await;
    let total = counts.iter().sum::<u64>() as f64;
    let (least, most) = (counts.iter().min().unwrap_or(&0), counts.iter().max().unwrap_or(&0));
    let each = |from: f64, to: f64| (to - from) * 1e6 / total;
    let rate = total / RUN.as_secs_f64();
    println!("contended, {CLIENTS} clients on one key, {} s each", RUN.as_secs());
    println!(
        "  quorate, in fair order           {rate:>8.0} pairs/s  (bar 5,000); each client {least} to {most}"
    );
    let cost = (each(server, server_cpu(store).await), each(client, client_cpu()));
    println!("  a pair costs the server {:.0} µs, the client {:.0} µs", cost.0, cost.1);
    println!("  for a pair the server is asked {:.2} times", asked(bench).await / total);
    let mut passed = passed.into_inner();
    println!(
        "  from a release to the next holder p50 {:?}, p99 {:?}  (bar 5 ms)",
        percentile(&mut passed, 0.5),
        percentile(&mut passed, 0.99)
    );
    let rounds = in_rounds(plane).await;
    println!("  quorate, each once a round       {rounds:>8.0} pairs/s");
    Rates { free: rate, rounds, passed: passed.len() as f64 / RUN.as_secs_f64() }
}

/// Pairs a second where everybody takes the lock once in a round, and a round ends when all have had it.
async fn in_rounds(plane: &Plane) -> f64 {
    let (barrier, over) = (tokio::sync::Barrier::new(CLIENTS), Cell::new(false));
    let end = Instant::now() + RUN;
    let one = async |task: usize| {
        let mut done = 0_u64;
        loop {
            if barrier.wait().await.is_leader() {
                over.set(Instant::now() >= end);
            }
            barrier.wait().await;
            if over.get() {
                return done;
            }
            let grant = take(plane, task).await;
            give(plane, task, grant).await;
            done += 1;
        }
    };
    let counts = futures_util::future::join_all((0..CLIENTS).map(one)).await;
    counts.iter().sum::<u64>() as f64 / RUN.as_secs_f64()
}

async fn take(plane: &Plane, task: usize) -> Grant {
    let wanted = Request { wait: Duration::from_secs(10), ..Request::new(hot(), agent(task)) };
    let got = plane.locks().acquire(&wanted).await.expect("acquires");
    let Outcome::Done(Acquire::Granted(grant)) = got else { panic!("{got:?}") };
    grant
}

async fn give(plane: &Plane, task: usize, grant: Grant) {
    plane.locks().release(&hot(), &agent(task), grant.fence).await.expect("releases").unwrap();
}

fn hot() -> Resource {
    "name:hot".parse().expect("a lock")
}

/// How often a script was started since the figures were set back.
async fn asked(bench: &Bench) -> f64 {
    let stats = bench.scope.store.info("commandstats").await.expect("commandstats");
    let calls = stats.get("cmdstat_evalsha").and_then(|text| text.split(['=', ',']).nth(1)?.parse().ok());
    calls.unwrap_or_default()
}

/// The same with other libraries as they come, if `cargo xtask bench` has prepared them.
///
/// They keep no order: whoever has just released may take the lock again, and the others sleep. Where everybody is to have the
/// lock once before anybody has it twice, which is the order that ours keeps by itself, it must be passed on each time; the
/// bars are for that. What they do when nobody has to wait for his turn is told beside it.
pub(crate) fn peers(url: &str, ours: &Rates) {
    for (name, variable, bar) in
        [("rslock", "QUORATE_BENCH_RSLOCK", 2.0), ("redis-py Lock", "QUORATE_BENCH_REDIS_PY", 20.0)]
    {
        let Ok(line) = std::env::var(variable) else {
            println!("  {name:<32} not measured: run `cargo xtask bench locks`");
            continue;
        };
        let mut words = line.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).env("PEER_URL", url).env("PEER_CLIENTS", CLIENTS.to_string());
        let output = command.env("PEER_SECONDS", RUN.as_secs().to_string()).output().expect("the peer runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let [free, passed, rounds] =
            text.split_whitespace().flat_map(str::parse::<f64>).collect::<Vec<_>>()[..]
        else {
            println!("  {name:<32} failed: {}", String::from_utf8_lossy(&output.stderr));
            continue;
        };
        let ratio = |ours: f64, own: f64| ours / own.max(1.0);
        println!(
            "  {name:<16} each once a round {rounds:>8.0} pairs/s; quorate is {:.1}×  (bar {bar}×)",
            ratio(ours.rounds, rounds)
        );
        println!(
            "    in no order: {free:.0} pairs/s; quorate, in fair order, is {:.1}×",
            ratio(ours.free, free)
        );
        println!(
            "    from one client to another: {passed:.0} times a second; quorate is {:.1}×",
            ratio(ours.passed, passed)
        );
    }
}

/// What queueing, giving up and handing over cost with few and with many waiters.
pub(crate) async fn crowd(plane: &Plane) {
    let mut costs = Vec::new();
    for size in [10, 10_000] {
        let on: Resource = format!("name:crowd-{size}").parse().expect("a lock");
        let holder = Request { ttl: Some(Duration::from_secs(3_000)), ..Request::new(on.clone(), agent(0)) };
        plane.locks().acquire(&holder).await.expect("acquires").unwrap();
        for place in 0..size {
            plane.locks().acquire(&detached(&on, 1 + place % 40)).await.expect("queues").unwrap();
        }
        costs.push((queue_and_cancel(plane, &on).await, hand_over(plane, &on, size.min(200)).await));
    }
    let [few, many] = costs[..] else { return };
    for (what, few, many) in [("queue and cancel", few.0, many.0), ("hand over", few.1, many.1)] {
        println!(
            "  {what:<18} {few:>5.0} µs with 10 waiters, {many:>5.0} µs with 10,000: {:.2}×  (bar 2×)",
            many / few
        );
    }
}

fn detached(on: &Resource, who: usize) -> Request {
    let wait = Duration::from_secs(3_000);
    Request { wait, detach: true, ttl: Some(wait), ..Request::new(on.clone(), agent(who)) }
}

async fn queue_and_cancel(plane: &Plane, on: &Resource) -> f64 {
    let mut took = Vec::new();
    for _ in 0..500 {
        let (wanted, started) = (detached(on, 45), Instant::now());
        plane.locks().acquire(&wanted).await.expect("queues").unwrap();
        plane.locks().cancel(on, &wanted.request).await.expect("cancels");
        took.push(started.elapsed());
    }
    micros(&mut took)
}

async fn hand_over(plane: &Plane, on: &Resource, times: usize) -> f64 {
    let mut took = Vec::new();
    for _ in 0..times {
        let holder = plane.locks().show(on, 0).await.expect("shows").holders.remove(0);
        let who = quorate_catalog::ids::AgentId::parse(&holder.agent).expect("an id");
        let started = Instant::now();
        plane.locks().release(on, &who, holder.fence).await.expect("releases").unwrap();
        took.push(started.elapsed());
    }
    micros(&mut took)
}

/// The median: a few that were interrupted say nothing about the others.
fn micros(took: &mut [Duration]) -> f64 {
    percentile(took, 0.5).as_secs_f64() * 1e6
}
