//! rslock as it comes: `PEER_CLIENTS` tasks take one lock and release it again for `PEER_SECONDS`; prints pairs a second,
//! what they would be if everybody had got as many as whoever got the fewest, and how often a second the lock went from one
//! client to another.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rslock::LockManager;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let read = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let clients: usize = read("PEER_CLIENTS").parse().expect("a number");
    let run = Duration::from_secs(read("PEER_SECONDS").parse().expect("a number"));
    let url = read("PEER_URL");
    let end = Instant::now() + run;
    let local = tokio::task::LocalSet::new();
    let passed = Rc::new((Cell::new(clients), Cell::new(0_u64)));
    let tasks: Vec<_> = (0..clients)
        .map(|place| {
            let passed = Rc::clone(&passed);
            let locks = LockManager::new(vec![url.clone()]);
            local.spawn_local(async move {
                let mut done = 0_u64;
                while Instant::now() < end {
                    // It gives up after its own number of tries; that is no pair.
                    if let Ok(lock) = locks.lock("peer:rslock", Duration::from_secs(10)).await {
                        let (holder, times) = &*passed;
                        times.set(times.get() + u64::from(holder.replace(place) != place));
                        locks.unlock(&lock).await;
                        done += 1;
                    }
                }
                done
            })
        })
        .collect();
    let counts = local.run_until(async {
        let mut counts = Vec::new();
        for task in tasks {
            counts.push(task.await.expect("a task ends"));
        }
        counts
    });
    let counts = counts.await;
    let least = counts.iter().min().copied().unwrap_or_default() * counts.len() as u64;
    let rate = |pairs: u64| pairs as f64 / run.as_secs_f64();
    println!("{:.1} {:.1} {:.1}", rate(counts.iter().sum()), rate(least), rate(passed.1.get()));
}
