//! `cargo xtask bench locks`: what a lock costs, as a ratio to the bare commands in the same run on the same engine.
//!
//! Absolute rates depend on the machine and its neighbours; the variants take turns in short rounds, and the ratio of
//! their medians is what counts. The bars are those of the design: a named lock at least 0.5 of `SET NX PX` with a
//! compare-and-delete, every kind at least 0.7 of a script that does nothing but the same writes.

#![expect(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

use std::future::Future;
use std::time::{Duration, Instant};

use quorate_catalog::ids::AgentId;
use quorate_plane::Outcome;
use quorate_plane::Plane;
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Request, Resource};
use quorate_store::{Arg, Script, Store, cmd};
use quorate_testkit::Bench;

const TASKS: usize = 50;
const ROUND: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::verbatim().await;
    let plane = Plane::new(bench.scope.clone()).expect("a plain deployment");
    for task in 0..TASKS {
        let registration =
            Registration { lease: Duration::from_secs(3_600), ..Registration::new(agent(task)) };
        plane.agents().register(&registration).await.expect("registers").unwrap();
    }
    if std::env::var_os("ONLY").is_some() {
        contended(&bench, &plane).await;
        return;
    }
    let mut rows = vec![
        Row::new("SET NX PX + compare-and-delete"),
        Row::new("named lock, bare writes"),
        Row::new("named lock"),
        Row::new("task lock, bare writes"),
        Row::new("task lock"),
    ];
    for _ in 0..ROUNDS {
        let store = &bench.scope.store;
        rows[0].add(rate(store, async |task| plain_pair(store, task).await).await);
        rows[1].add(rate(store, async |task| bare_pair(store, &BARE_NAMED, task).await).await);
        rows[2].add(rate(store, async |task| pair(&plane, task, "name:lock-").await).await);
        rows[3].add(rate(store, async |task| bare_pair(store, &BARE_TASK, task).await).await);
        rows[4].add(rate(store, async |task| pair(&plane, task, "task:lock-").await).await);
    }
    println!("acquire + release, {TASKS} tasks on one connection, median of {ROUNDS} rounds");
    for row in &rows {
        let [rate, server, client] = row.medians();
        println!(
            "  {:<32} {rate:>8.0} pairs/s; a pair costs the server {server:>4.1} µs, the client {client:>4.1} µs",
            row.name
        );
    }
    let ratio = |of: usize, to: usize| rows[of].median() / rows[to].median();
    println!("  named lock / SET NX PX pair      {:.2}  (bar 0.5)", ratio(2, 0));
    println!("  named lock / bare writes         {:.2}  (bar 0.7)", ratio(2, 1));
    println!("  task lock / bare writes          {:.2}  (bar 0.7)", ratio(4, 3));
    server_cost(&bench, &plane).await;
    contended(&bench, &plane).await;
    waiters(&plane).await;
}

/// What the server itself spends on one script call, without clients and network.
async fn server_cost(bench: &Bench, plane: &Plane) {
    for (name, prefix) in [("named", "name:cost-"), ("task", "task:cost-")] {
        bench.cli("CONFIG RESETSTAT").await;
        for task in 0..2_000 {
            pair(plane, task % TASKS, prefix).await;
        }
        let stats = bench.scope.store.info("commandstats").await.expect("commandstats");
        println!("  server, {name} lock, evalsha: {}", stats.get("cmdstat_evalsha").unwrap_or("unknown"));
    }
}

struct Row {
    name: &'static str,
    rounds: Vec<[f64; 3]>,
}

impl Row {
    fn new(name: &'static str) -> Self {
        Self { name, rounds: Vec::new() }
    }

    fn add(&mut self, round: [f64; 3]) {
        self.rounds.push(round);
    }

    fn medians(&self) -> [f64; 3] {
        [0, 1, 2].map(|at| {
            let mut all: Vec<f64> = self.rounds.iter().map(|round| round[at]).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        })
    }

    fn median(&self) -> f64 {
        self.medians()[0]
    }
}

/// How many pairs a second all tasks do together, and the processor time of a pair, in the server and in the client.
async fn rate<F: Future<Output = ()>>(store: &Store, pair: impl Fn(usize) -> F) -> [f64; 3] {
    let (server, client) = (server_cpu(store).await, client_cpu());
    let (started, end) = (Instant::now(), Instant::now() + ROUND);
    let one = async |task: usize| {
        let mut done = 0_u64;
        while Instant::now() < end {
            pair(task).await;
            done += 1;
        }
        done
    };
    let counts = futures_util::future::join_all((0..TASKS).map(one)).await;
    let pairs = counts.iter().sum::<u64>() as f64;
    let took = started.elapsed().as_secs_f64();
    let each = |from: f64, to: f64| (to - from) * 1e6 / pairs;
    [pairs / took, each(server, server_cpu(store).await), each(client, client_cpu())]
}

async fn server_cpu(store: &Store) -> f64 {
    let info = store.info("cpu").await.expect("INFO cpu");
    let seconds = |name| info.get(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    seconds("used_cpu_user") + seconds("used_cpu_sys")
}

/// User and system time of this process, which Linux counts in hundredths of a second.
fn client_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) / 100.0
}

fn agent(task: usize) -> AgentId {
    AgentId::parse(&format!("agent-{task}")).expect("an id")
}

async fn pair(plane: &Plane, task: usize, prefix: &str) {
    let on: Resource = format!("{prefix}{task}").parse().expect("a lock");
    let request = Request::new(on, agent(task));
    match plane.locks().acquire(&request).await.expect("acquires") {
        Outcome::Done(Acquire::Granted(grant)) => {
            plane.locks().release(&request.on, &request.agent, grant.fence).await.expect("releases").unwrap();
        }
        other => panic!("{other:?}"),
    }
}

async fn plain_pair(store: &Store, task: usize) {
    let key = format!("plain:{task}");
    let mut set = cmd("SET");
    set.arg(&key).arg("owner").arg("NX").arg("PX").arg(30_000);
    store.query::<()>(&set).await.expect("sets");
    let none: [Arg<'_>; 1] = [Arg::from("owner")];
    store.run::<i64>(&COMPARE_AND_DELETE, &[key], &none).await.expect("deletes");
}

async fn bare_pair(store: &Store, scripts: &[std::sync::LazyLock<Script>; 2], task: usize) {
    let keys: Vec<String> = (0..8).map(|n| format!("bare:{n}:{task}")).collect();
    for script in scripts {
        store.run::<i64>(script, &keys, &[Arg::from("agent-1")]).await.expect("runs");
    }
}

static COMPARE_AND_DELETE: std::sync::LazyLock<Script> = std::sync::LazyLock::new(|| {
    bare("compare", 1, "if redis.call('GET', k1) == owner then return redis.call('DEL', k1) end return 0")
});

static BARE_NAMED: [std::sync::LazyLock<Script>; 2] = [
    std::sync::LazyLock::new(|| {
        bare(
            "named",
            8,
            "redis.call('INCR', k1) redis.call('SET', k2, owner, 'PX', 30000) redis.call('SET', k3, string.rep('x', 120), 'PX', 604800000) redis.call('ZADD', k4, 1, owner) return 1",
        )
    }),
    std::sync::LazyLock::new(|| {
        bare(
            "unnamed",
            8,
            "redis.call('DEL', k2) redis.call('SET', k3, string.rep('x', 40), 'PX', 604800000) redis.call('ZREM', k4, owner) return 1",
        )
    }),
];

static BARE_TASK: [std::sync::LazyLock<Script>; 2] = [
    std::sync::LazyLock::new(|| {
        bare(
            "task",
            8,
            "redis.call('INCR', k1) redis.call('HSET', k5, 'holder_agent_id', owner, 'acquired_at', 'a', 'expires_at', 'b', 'purpose', '', 'heartbeat_count', 0, 'queue_length', 0, 'fence_token', 1, 'epoch', 1) redis.call('PEXPIRE', k5, 30000) redis.call('SET', k3, string.rep('x', 120), 'PX', 604800000) redis.call('ZADD', k4, 1, owner) redis.call('SADD', k6, owner) redis.call('ZADD', k7, 1, owner) redis.call('PUBLISH', 'c', owner) redis.call('XADD', k8, '*', 'event', 'lock:acquired', 'timestamp', 'a', 'payload', 'b', 'source', 'c') return 1",
        )
    }),
    std::sync::LazyLock::new(|| {
        bare(
            "untask",
            8,
            "redis.call('DEL', k5) redis.call('SET', k3, string.rep('x', 40), 'PX', 604800000) redis.call('ZREM', k4, owner) redis.call('SREM', k6, owner) redis.call('ZREM', k7, owner) redis.call('PUBLISH', 'c', owner) redis.call('XADD', k8, '*', 'event', 'lock:released', 'timestamp', 'a', 'payload', 'b', 'source', 'c') return 1",
        )
    }),
];

fn bare(name: &str, keys: usize, body: &str) -> Script {
    let keys: String = (1..=keys).map(|n| format!("--   k{n} foreign.key\n")).collect();
    let source = format!(
        "#!lua\n-- purpose: Bare writes.\n-- guarantee: None.\n-- keys:\n{keys}-- args:\n--   owner text who\n-- returns: a number\n-- writes: 20\n-- layout: any\n{body}\n"
    );
    Script::parse(name, &source).expect("a bare script")
}

/// What one acquire that is refused costs with few and with many waiters in the queue.
async fn waiters(plane: &Plane) {
    let on: Resource = "name:crowded".parse().expect("a lock");
    let holder = Request { ttl: Some(Duration::from_secs(3_000)), ..Request::new(on.clone(), agent(0)) };
    plane.locks().acquire(&holder).await.expect("acquires").unwrap();
    let mut queued = 0;
    let mut cost = Vec::new();
    for size in [10, 10_000] {
        while queued < size {
            let wanted = Request {
                wait: Duration::from_secs(3_000),
                detach: true,
                ..Request::new(on.clone(), agent(1 + queued % 40))
            };
            plane.locks().acquire(&wanted).await.expect("queues").unwrap();
            queued += 1;
        }
        let started = Instant::now();
        for _ in 0..500 {
            let wanted = Request {
                wait: Duration::from_secs(60),
                detach: true,
                ..Request::new(on.clone(), agent(45))
            };
            plane.locks().acquire(&wanted).await.expect("queues").unwrap();
            plane.locks().cancel(&on, &wanted.request).await.expect("cancels");
        }
        cost.push(started.elapsed().as_secs_f64() * 1e6 / 500.0);
    }
    println!(
        "queue and cancel: {:.0} µs with 10 waiters, {:.0} µs with 10,000: {:.2}×  (bar 2×)",
        cost[0],
        cost[1],
        cost[1] / cost[0]
    );
}

/// Sixteen clients on one key, in fair order.
async fn contended(bench: &Bench, plane: &Plane) {
    let store = &bench.scope.store;
    bench.cli("CONFIG RESETSTAT").await;
    let (server, client) = (server_cpu(store).await, client_cpu());
    let end = Instant::now() + Duration::from_secs(3);
    let one = async |task: usize| {
        let mut done = 0_u64;
        while Instant::now() < end {
            let on: Resource = "name:hot".parse().expect("a lock");
            let wanted = Request { wait: Duration::from_secs(10), ..Request::new(on, agent(task)) };
            if let Outcome::Done(Acquire::Granted(grant)) =
                plane.locks().acquire(&wanted).await.expect("acquires")
            {
                plane
                    .locks()
                    .release(&wanted.on, &wanted.agent, grant.fence)
                    .await
                    .expect("releases")
                    .unwrap();
                done += 1;
            }
        }
        done
    };
    let counts = futures_util::future::join_all((0..16).map(one)).await;
    let total: u64 = counts.iter().sum();
    let (least, most) = (counts.iter().min().unwrap_or(&0), counts.iter().max().unwrap_or(&0));
    println!(
        "contended, 16 clients on one key: {:.0} pairs/s  (bar 5,000); each client {least} to {most}",
        total as f64 / 3.0
    );
    let each = |from: f64, to: f64| (to - from) * 1e6 / total as f64;
    println!(
        "  a pair costs the server {:.1} µs, the client {:.1} µs",
        each(server, server_cpu(store).await),
        each(client, client_cpu())
    );
    let stats = store.info("commandstats").await.expect("commandstats");
    for name in [
        "evalsha", "get", "set", "hmget", "hget", "hset", "hdel", "zadd", "zrem", "zrange", "zrank",
        "exists", "publish", "xadd", "time", "incr", "hgetall", "hexists", "del",
    ] {
        if let Some(s) = stats.get(&format!("cmdstat_{name}")) {
            let calls: f64 = s.split(['=', ',']).nth(1).unwrap().parse().unwrap();
            println!("    {name} {:.2} {s}", calls / total as f64);
        }
    }
}
