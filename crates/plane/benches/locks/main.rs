//! `cargo xtask bench locks`: what a lock costs, as a ratio to the bare commands in the same run on the same engine.
//!
//! Absolute rates depend on the machine and its neighbours; the variants take turns in short rounds, and the ratio of
//! rounds that followed each other is what counts. The bars are those of the design: a named lock at least 0.5 of `SET NX PX` with a
//! compare-and-delete, every kind at least 0.7 of a script that does nothing but the same writes.

#![expect(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

mod bare;
mod contended;
mod measure;

use std::time::Duration;

use measure::{ROUNDS, Row, TASKS, rate};
use quorate_catalog::ids::AgentId;
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Request, Resource};
use quorate_plane::{Outcome, Plane};
use quorate_testkit::Bench;

/// Commands that change something, as the server counts them.
const WRITES: [&str; 18] = [
    "set",
    "msetex",
    "incrby",
    "decrby",
    "del",
    "incr",
    "pexpire",
    "hset",
    "hsetnx",
    "hdel",
    "zadd",
    "zrem",
    "zremrangebyscore",
    "sadd",
    "srem",
    "xadd",
    "publish",
    "expire",
];

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::by_socket().await;
    bench.cli("CONFIG SET slowlog-log-slower-than 10000").await;
    let plane = Plane::new(bench.scope.clone()).expect("a plain deployment");
    for task in 0..TASKS {
        let registration =
            Registration { lease: Duration::from_secs(3_600), ..Registration::new(agent(task)) };
        plane.agents().register(&registration).await.expect("registers").unwrap();
    }
    // `cargo bench … -- contended` measures one part alone.
    let part = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if wanted("uncontended") {
        uncontended(&bench, &plane).await;
        write_budget(&bench, &plane).await;
    }
    if wanted("contended") {
        let rates = contended::ours(&bench, &plane).await;
        contended::peers(&bench.node.socket_url().expect("a socket").reveal(), &rates);
    }
    if wanted("crowd") {
        contended::crowd(&plane).await;
    }
    let slow: u64 = bench.scope.store.query(quorate_store::cmd("SLOWLOG").arg("LEN")).await.expect("SLOWLOG");
    println!(
        "commands over 10 ms in the slow log: {slow}  (bar 0); the server has waited {:.1} s for a processor",
        bench.waited_for_a_processor().await
    );
    say_slow(&bench).await;
}

/// Which they were: how long each took, and what it was asked.
async fn say_slow(bench: &Bench) {
    let mut get = quorate_store::cmd("SLOWLOG");
    get.arg("GET").arg(20);
    let entries: Vec<(u64, u64, u64, Vec<String>, String, String)> =
        bench.scope.store.query(&get).await.expect("SLOWLOG");
    for (_, _, micros, words, ..) in entries {
        let words: Vec<&str> = words.iter().map(|word| word.get(..60).unwrap_or(word)).take(8).collect();
        println!("  {:.1} ms: {}", micros as f64 / 1_000.0, words.join(" "));
    }
}

/// Fifty tasks of a process are tasks of its agent, as a rule; how it is with an agent each is told beside it.
async fn uncontended(bench: &Bench, plane: &Plane) {
    let mut rows = [
        Row::new("SET NX PX + compare-and-delete"),
        Row::new("named lock, bare writes"),
        Row::new("named lock"),
        Row::new("named lock, an agent each"),
        Row::new("task lock, bare writes"),
        Row::new("task lock"),
        Row::new("task lock, an agent each"),
    ];
    let store = &bench.scope.store;
    for _ in 0..ROUNDS {
        rows[0].add(rate(store, async |task| bare::plain_pair(store, task).await).await);
        rows[1].add(rate(store, async |task| bare::named_pair(store, task).await).await);
        rows[2].add(rate(store, async |task| pair(plane, 0, task, "name:lock-").await).await);
        rows[3].add(rate(store, async |task| pair(plane, task, task, "name:lock-").await).await);
        rows[4].add(rate(store, async |task| bare::task_pair(store, task).await).await);
        rows[5].add(rate(store, async |task| pair(plane, 0, task, "task:lock-").await).await);
        rows[6].add(rate(store, async |task| pair(plane, task, task, "task:lock-").await).await);
    }
    println!("acquire + release, {TASKS} tasks on one connection, median of {ROUNDS} rounds");
    for row in &rows {
        let [rate, server, client] = row.medians();
        println!(
            "  {:<32} {rate:>8.0} pairs/s; a pair costs the server {server:>4.1} µs, the client {client:>4.1} µs",
            row.name
        );
    }
    for (ours, beside, bar) in [(2, 0, 0.5), (2, 1, 0.7), (5, 4, 0.7), (3, 0, 0.5), (3, 1, 0.7), (6, 4, 0.7)]
    {
        let (ours, beside) = (&rows[ours], &rows[beside]);
        println!("  {:<26} / {:<32} {:.2}  (bar {bar})", ours.name, beside.name, ours.ratio_to(beside));
    }
}

/// How many commands that change something the server ran for one acquire and release.
async fn write_budget(bench: &Bench, plane: &Plane) {
    for (name, prefix) in [("named", "name:cost-"), ("task", "task:cost-"), ("resource", "resource:db:cost-")]
    {
        bench.cli("CONFIG RESETSTAT").await;
        for task in 0..1_000 {
            pair(plane, task % TASKS, task % TASKS, prefix).await;
        }
        let stats = bench.scope.store.info("commandstats").await.expect("commandstats");
        let calls = |command: &str| -> Option<f64> {
            stats.get(&format!("cmdstat_{command}"))?.split(['=', ',']).nth(1)?.parse().ok()
        };
        let writes: f64 = WRITES.iter().filter_map(|command| calls(command)).sum();
        println!("  {name} lock: {:.1} writes for acquire and release together", writes / 1_000.0);
    }
}

pub(crate) fn agent(task: usize) -> AgentId {
    AgentId::parse(&format!("agent-{task}")).expect("an id")
}

async fn pair(plane: &Plane, who: usize, task: usize, prefix: &str) {
    let on: Resource = format!("{prefix}{task}").parse().expect("a lock");
    let request = Request::new(on, agent(who));
    match plane.locks().acquire(&request).await.expect("acquires") {
        Outcome::Done(Acquire::Granted(grant)) => {
            plane.locks().release(&request.on, &request.agent, grant.fence).await.expect("releases").unwrap();
        }
        other => panic!("{other:?}"),
    }
}
