//! rslock as it comes: `PEER_CLIENTS` tasks take one lock and release it again for `PEER_SECONDS`, at first as fast as each can
//! and then each once a round, where a round ends when all have had it. Prints pairs a second of the first, how often a second
//! the lock went from one client to another in it, and pairs a second of the rounds.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rslock::LockManager;
use tokio::sync::Barrier;
use tokio::task::LocalSet;

struct Run {
    url: String,
    clients: usize,
    length: Duration,
    end: Cell<Instant>,
    over: Cell<bool>,
    holder: Cell<usize>,
    passed: Cell<u64>,
    barrier: Barrier,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let read = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let clients: usize = read("PEER_CLIENTS").parse().expect("a number");
    let run = Rc::new(Run {
        url: read("PEER_URL"),
        clients,
        length: Duration::from_secs(read("PEER_SECONDS").parse().expect("a number")),
        end: Cell::new(Instant::now()),
        over: Cell::new(false),
        holder: Cell::new(clients),
        passed: Cell::new(0),
        barrier: Barrier::new(clients),
    });
    let free = rate(&run, freely).await;
    let passed = run.passed.get() as f64 / run.length.as_secs_f64();
    let rounds = rate(&run, in_rounds).await;
    println!("{free:.1} {passed:.1} {rounds:.1}");
}

/// Pairs a second of all clients together.
async fn rate<F: Future<Output = u64> + 'static>(run: &Rc<Run>, one: impl Fn(Rc<Run>, usize) -> F) -> f64 {
    let started = Instant::now();
    run.end.set(started + run.length);
    let local = LocalSet::new();
    let tasks: Vec<_> = (0..run.clients).map(|place| local.spawn_local(one(Rc::clone(run), place))).collect();
    let all = local.run_until(async {
        let mut all = 0;
        for task in tasks {
            all += task.await.expect("a task ends");
        }
        all
    });
    all.await as f64 / started.elapsed().as_secs_f64()
}

async fn freely(run: Rc<Run>, place: usize) -> u64 {
    let locks = LockManager::new(vec![run.url.clone()]);
    let mut done = 0;
    while Instant::now() < run.end.get() {
        done += u64::from(pair(&run, &locks, place).await);
    }
    done
}

async fn in_rounds(run: Rc<Run>, place: usize) -> u64 {
    let locks = LockManager::new(vec![run.url.clone()]);
    let mut done = 0;
    loop {
        if run.barrier.wait().await.is_leader() {
            run.over.set(Instant::now() >= run.end.get());
        }
        run.barrier.wait().await;
        if run.over.get() {
            return done;
        }
        while !pair(&run, &locks, place).await {}
        done += 1;
    }
}

/// Whether there was one: it gives up after its own number of tries.
async fn pair(run: &Run, locks: &LockManager, place: usize) -> bool {
    let Ok(lock) = locks.lock("peer:rslock", Duration::from_secs(10)).await else { return false };
    run.passed.set(run.passed.get() + u64::from(run.holder.replace(place) != place));
    locks.unlock(&lock).await;
    true
}
