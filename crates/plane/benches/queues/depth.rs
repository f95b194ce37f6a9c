//! What a push and a claim cost with few and with many items in the queue, and what a waiting item takes.

use std::time::Instant;

use quorate_catalog::ids::Priority;
use quorate_plane::Plane;
use quorate_plane::queues::{Claim, Push};
use quorate_store::cmd;
use quorate_testkit::Bench;

use super::measure::median;
use super::{agent, queue};

const FEW: usize = 1_000;
const MANY: usize = 1_000_000;
/// Blocks of this many cycles; the medians of all blocks are compared.
const BLOCK: usize = 500;
const BLOCKS: usize = 9;

/// Fills one queue to the brim beside one that stays short; blocks of cycles take turns on both.
pub(crate) async fn flat(bench: &Bench, plane: &Plane) {
    fill(plane, "normal", FEW).await;
    let before = memory(bench).await;
    fill(plane, "low", MANY).await;
    let bytes = (memory(bench).await - before) / MANY as f64;
    let mut costs: [Vec<[f64; 2]>; 2] = Default::default();
    for _ in 0..BLOCKS {
        costs[0].push(block(plane, "normal").await);
        costs[1].push(block(plane, "low").await);
    }
    println!("one call after the other, with {FEW} and with {MANY} items in the queue");
    for (at, what) in ["push", "claim"].iter().enumerate() {
        let [few, many] = [0, 1].map(|size: usize| {
            let all: Vec<f64> = costs[size].iter().map(|cost| cost[at]).collect();
            median(&all).unwrap_or(f64::NAN)
        });
        println!("  {what:<6} {few:>6.1} µs and {many:>6.1} µs: {:.2}×  (bar 1.2)", many / few);
    }
    println!("a waiting item with a payload of 12 bytes takes {bytes:.0} bytes of the server's memory");
    for priority in [Priority::Normal, Priority::Low] {
        let list = plane.keys().reverie().task_queue(priority);
        bench.scope.store.query::<i64>(cmd("UNLINK").arg(list.as_str())).await.expect("deletes");
    }
}

async fn fill(plane: &Plane, name: &str, count: usize) {
    for from in (0..count).step_by(10_000) {
        let many = from..count.min(from + 10_000);
        let pushes: Vec<Push> = many.map(|n| Push::new(format!("{{\"n\":{n:06}}}"))).collect();
        plane.queues().push_many(&queue(name), &pushes).await.expect("pushes").unwrap();
    }
}

/// Microseconds of a push and of a claim; what is claimed is acknowledged, untimed.
async fn block(plane: &Plane, name: &str) -> [f64; 2] {
    let claim = Claim::new(queue(name), agent(0));
    let (mut push, mut take) = (0.0, 0.0);
    for _ in 0..BLOCK {
        let started = Instant::now();
        plane.queues().push(&claim.queues[0], &Push::new("{\"n\":000000}")).await.expect("pushes").unwrap();
        push += started.elapsed().as_secs_f64();
        let started = Instant::now();
        let item = plane.queues().claim(&claim).await.expect("claims").unwrap().items.remove(0);
        take += started.elapsed().as_secs_f64();
        plane.queues().ack(&claim.agent, None, &[item.token]).await.expect("acks").unwrap();
    }
    [push, take].map(|seconds| seconds * 1e6 / BLOCK as f64)
}

async fn memory(bench: &Bench) -> f64 {
    let info = bench.scope.store.info("memory").await.expect("INFO memory");
    info.get("used_memory").and_then(|text| text.parse().ok()).unwrap_or_default()
}
