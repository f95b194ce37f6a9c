//! apalis-redis as it comes, with `PEER_CLIENTS` handlers at once: pushes `PEER_JOBS` no-op jobs in bulk, works them off
//! and prints jobs a second of the push and of both together. Each job must arrive once, else it fails.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use apalis::prelude::*;
use apalis_redis::{Config, RedisStorage};

const CHUNK: usize = 500;
/// It moves every due job in one command and fails where 8,000 are due; so no more than this wait.
const MOST: usize = 4_000;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let read = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let number = |name: &str| read(name).parse::<usize>().expect("a number");
    let (clients, jobs) = (number("PEER_CLIENTS"), number("PEER_JOBS"));
    let connection = apalis_redis::connect(read("PEER_URL")).await.expect("connects");
    let queue = format!("peer:apalis:{}", std::process::id());
    let config = Config::default().queue(&queue).batch_size(clients);
    let storage = RedisStorage::<u64, _>::new(connection).with_config(config);
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let all = Arc::clone(&seen);
    let handler = move |job: u64, worker: WorkerContext| {
        let mut seen = all.lock().expect("no panic");
        assert!(seen.insert(job), "delivered twice");
        if seen.len() == jobs {
            worker.stop().expect("a running worker stops");
        }
        async { Ok::<(), BoxDynError>(()) }
    };
    let started = Instant::now();
    let mut sink = storage.clone();
    let pushing = async {
        for from in (0..jobs).step_by(CHUNK) {
            while from - seen.lock().expect("no panic").len().min(from) > MOST {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let many: Vec<u64> = (from..jobs.min(from + CHUNK)).map(|n| n as u64).collect();
            sink.push_bulk(many).await.expect("pushes");
        }
    };
    let worker = WorkerBuilder::new(queue.as_str()).backend(storage).concurrency(clients).build(handler);
    let (worked, ()) = tokio::join!(worker.run(), pushing);
    worked.expect("works");
    let took = started.elapsed().as_secs_f64();
    assert_eq!(seen.lock().expect("no panic").len(), jobs, "exact delivery");
    println!("{:.1}", jobs as f64 / took);
}
