//! R5: at the limits no script keeps the server for 10 ms.

use std::sync::Mutex;
use std::time::Duration;

use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants, maintenance};
use quorate_store::{FromRedisValue, Value, cmd};
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check};

use crate::support::{agent, grant, lock, plane, request, take};

/// A smoke test shares its cores with others, and a pause of theirs counts too: only the full size, on a quiet machine,
/// holds the server to this. What a walk costs in commands is the same anywhere: so many in the script that looks for a ring,
/// and so many for each agent that is then walked from outside, a stretch at a time.
const MICROS: usize = 10_000;
const COMMANDS: u64 = 900;
const EACH: u64 = 16;

struct Watched<'a> {
    bench: &'a Bench,
    plane: Plane,
    /// What was too slow, told when everything has been tried.
    slow: Mutex<Vec<String>>,
}

impl Watched<'_> {
    /// Looks at the slow log after `what`, and empties it.
    async fn look(&self, what: &str) {
        let entries: Vec<Value> = Vec::from_redis_value(self.bench.cli("SLOWLOG GET 100").await).unwrap();
        let slow: Vec<(u64, String)> = entries.into_iter().filter_map(read).collect();
        let slowest = slow.iter().map(|(micros, _)| *micros).max().unwrap_or_default();
        say(&format!("r5: {what}: {} calls of {MICROS} µs or more, the slowest {slowest} µs", slow.len()));
        if slowest >= size(20 * MICROS, MICROS) as u64 {
            let mut known = self.slow.lock().unwrap();
            known.push(format!("{what}: {} calls, the slowest {slowest} µs", slow.len()));
        }
        self.bench.cli("SLOWLOG RESET").await;
    }
}

/// How many commands the server has run so far, those of scripts included.
async fn commands(bench: &Bench) -> u64 {
    let stats: String = bench.scope.store.query(cmd("INFO").arg("commandstats")).await.unwrap();
    let calls =
        stats.lines().filter_map(|line| line.split_once(":calls=")?.1.split(',').next()?.parse::<u64>().ok());
    calls.sum()
}

/// How long a script of ours took; commands of the test itself do not count.
fn read(entry: Value) -> Option<(u64, String)> {
    let Value::Array(words) = entry else { return None };
    let command: Vec<String> = Vec::from_redis_value(words.get(3)?.clone()).ok()?;
    let micros = u64::from_redis_value(words.get(2)?.clone()).ok()?;
    command[0]
        .to_uppercase()
        .starts_with("EVAL")
        .then(|| (micros, command.join(" ").chars().take(120).collect()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r5_no_script_keeps_the_server_long_at_the_limits() {
    check(&invariants(), async |bench| {
        bench.cli(&format!("CONFIG SET slowlog-log-slower-than {MICROS}")).await;
        let names: Vec<String> = (0..size(200, 1_000)).map(|n| format!("m{n}")).collect();
        let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let watched = Watched { bench, plane, slow: Mutex::default() };
        watched.look("registering").await;
        many_waiters(&watched, &names).await;
        many_readers(&watched, &names).await;
        many_locks(&watched, &names).await;
        a_long_walk(&watched, &names).await;
        let slow = watched.slow.into_inner().unwrap();
        assert_eq!(slow, Vec::<String>::new());
    })
    .await;
}

/// Ten thousand places in one queue: joining, leaving, passing on, looking.
async fn many_waiters(watched: &Watched<'_>, names: &[String]) {
    let plane = &watched.plane;
    let (on, waiting) = ("task:crowded", size(1_000, 10_000));
    let held = take(plane, "m0", on).await;
    let mut requests = Vec::new();
    for n in 0..waiting {
        let name = &names[1 + n % (names.len() - 1)];
        let wanted = Request { wait: Duration::from_secs(600), detach: true, ..request(name, on) };
        let Outcome::Done(Acquire::Queued { request, .. }) = plane.locks().acquire(&wanted).await.unwrap()
        else {
            panic!()
        };
        requests.push(request);
    }
    watched.look(&format!("{waiting} join one queue")).await;
    plane.locks().show(&lock(on), 100).await.unwrap();
    for request in requests.iter().rev().take(100) {
        plane.locks().cancel(&lock(on), request).await.unwrap();
    }
    let (mut holder, mut fence) = ("m0".to_owned(), held.fence);
    for _ in 0..100 {
        plane.locks().release(&lock(on), &agent(&holder), fence).await.unwrap().unwrap();
        let shown = plane.locks().show(&lock(on), 1).await.unwrap();
        (holder, fence) = (shown.holders[0].agent.clone(), shown.holders[0].fence);
    }
    watched.look("100 leave the queue, 100 are served").await;
    // All of them die at once, and the lock must get past them.
    for name in &names[1..] {
        plane.agents().deregister(&agent(name), None).await.unwrap().unwrap();
    }
    watched.look("everybody who waits leaves").await;
    for name in &names[1..] {
        let again = quorate_plane::agents::Registration::new(agent(name));
        plane.agents().register(&again).await.unwrap().unwrap();
    }
    assert_eq!(plane.locks().show(&lock(on), 1).await.unwrap().waiting, 0);
}

/// A thousand readers of one resource, and the writer that waits for all of them.
async fn many_readers(watched: &Watched<'_>, names: &[String]) {
    let (plane, on) = (&watched.plane, "resource:db:read");
    let mut held = Vec::new();
    for name in names {
        let wanted = Request { mode: Mode::Shared, ttl: Some(Duration::from_secs(600)), ..request(name, on) };
        held.push((name, grant(plane.locks().acquire(&wanted).await.unwrap()).fence));
    }
    watched.look(&format!("{} readers of one resource", held.len())).await;
    let writer = Request { wait: Duration::from_secs(600), detach: true, ..request("m0", on) };
    plane.locks().acquire(&writer).await.unwrap().unwrap();
    for (name, fence) in held.iter().take(50) {
        plane.locks().renew(&lock(on), &agent(name), None, *fence, None).await.unwrap().unwrap();
    }
    for (name, fence) in &held[1..] {
        plane.locks().release(&lock(on), &agent(name), *fence).await.unwrap().unwrap();
    }
    watched.look("a writer waits, 50 renew, all but one leave").await;
    let shown = plane.locks().show(&lock(on), 1).await.unwrap();
    assert_eq!(
        (shown.holders.len(), shown.holders[0].mode.as_str()),
        (1, "exclusive"),
        "its own reading was exchanged"
    );
    plane.locks().release(&lock(on), &agent("m0"), shown.holders[0].fence).await.unwrap().unwrap();
}

/// An agent that holds a thousand locks takes one more, renews, and leaves.
async fn many_locks(watched: &Watched<'_>, names: &[String]) {
    let plane = &watched.plane;
    for n in 0..names.len() {
        let on = [format!("task:{n}"), format!("name:{n}"), format!("resource:db:{n}"), format!("file:{n}")]
            [n % 4]
            .clone();
        take(plane, "m1", &on).await;
    }
    watched.look(&format!("an agent takes {} locks", names.len())).await;
    plane.agents().deregister(&agent("m1"), None).await.unwrap().unwrap();
    maintenance::tick(plane).await.unwrap();
    watched.look("it leaves, and maintenance looks").await;
    assert_eq!(plane.locks().held_by(&agent("m1")).await.unwrap(), Vec::<String>::new());
    let again = quorate_plane::agents::Registration::new(agent("m1"));
    plane.agents().register(&again).await.unwrap().unwrap();
}

/// A chain of agents that wait for each other, longer than a walk may be, and more than one way through it.
async fn a_long_walk(watched: &Watched<'_>, names: &[String]) {
    let plane = &watched.plane;
    for (n, name) in names.iter().enumerate() {
        let wanted =
            Request { ttl: Some(Duration::from_secs(600)), ..request(name, &format!("name:link{n}")) };
        grant(plane.locks().acquire(&wanted).await.unwrap());
    }
    for (n, name) in names.iter().enumerate().rev().skip(1) {
        for step in [1, 2] {
            if let Some(next) = (n + step < names.len()).then_some(n + step) {
                let wanted = Request {
                    wait: Duration::from_secs(600),
                    detach: true,
                    ..request(name, &format!("name:link{next}"))
                };
                let before = commands(watched.bench).await;
                plane.locks().acquire(&wanted).await.unwrap().unwrap();
                let cost = commands(watched.bench).await - before;
                let chain = (names.len() - n) as u64;
                assert!(
                    cost <= COMMANDS + EACH * chain,
                    "one wait in a chain of {chain} cost {cost} commands"
                );
            }
        }
    }
    watched.look(&format!("a chain of {} agents closes", names.len())).await;
    let rings = plane.locks().deadlocks(false).await.unwrap();
    assert_eq!(rings, Vec::<Vec<String>>::new());
    watched.look("the walk from every one of them").await;
    for name in names {
        plane.agents().deregister(&agent(name), None).await.unwrap().unwrap();
    }
    watched.look("all of them leave").await;
}
