//! Our own side: the worker as it comes, a call for each step, and the way to an idle worker.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quorate_plane::Plane;
use quorate_plane::queues::{Claim, Push};
use quorate_plane::worker::Job;
use quorate_testkit::Bench;
use tokio::sync::{mpsc, oneshot};

use super::measure::percentile;
use super::{JOBS, TASKS, agent, queue};

/// Items a second of the push and of the whole, and how many items a call had.
pub(crate) struct Run {
    pub(crate) push: f64,
    pub(crate) full: f64,
    pub(crate) batch: usize,
}

/// Pushes all in bulk, then lets one worker do all.
pub(crate) async fn worker(bench: &Bench, plane: &Plane) -> Run {
    let pushes: Vec<Push> = (0..JOBS).map(|n| Push::new(format!("{{\"n\":{n}}}"))).collect();
    let started = Instant::now();
    plane.queues().push_many(&queue("normal"), &pushes).await.expect("pushes").unwrap();
    let pushed = started.elapsed().as_secs_f64();
    bench.cli("CONFIG RESETSTAT").await;
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let (end, ended) = oneshot::channel::<()>();
    let (end, all) = (Mutex::new(Some(end)), Arc::clone(&seen));
    let handler = move |job: Job| {
        let mut seen = all.lock().expect("no panic");
        assert!(seen.insert(job.payload), "delivered twice");
        if seen.len() == JOBS {
            drop(end.lock().expect("no panic").take());
        }
        async { Ok::<(), String>(()) }
    };
    let until = async move { drop(ended.await) };
    let report = plane.worker("normal").concurrency(TASKS).until(until).run(handler).await.expect("works");
    let took = started.elapsed().as_secs_f64();
    assert_eq!((report.done, seen.lock().expect("no panic").len()), (JOBS as u64, JOBS), "exact delivery");
    Run { push: JOBS as f64 / pushed, full: JOBS as f64 / took, batch: JOBS / claims(bench).await.max(1) }
}

/// How many calls claimed something: each took from the list once.
async fn claims(bench: &Bench) -> usize {
    let stats = bench.scope.store.info("commandstats").await.expect("INFO commandstats");
    let calls = stats.get("cmdstat_rpop").and_then(|text| text.split(['=', ',']).nth(1)?.parse().ok());
    calls.unwrap_or_default()
}

/// Fifty tasks; each pushes one, claims one and acknowledges it, with a call for each.
pub(crate) async fn single(plane: &Plane) -> f64 {
    let started = Instant::now();
    let one = async |task: usize| {
        let claim = Claim::new(queue("normal"), agent(task));
        let mut own = Vec::new();
        for n in 0..JOBS / TASKS {
            let push = Push::new(format!("{task}-{n}"));
            plane.queues().push(&claim.queues[0], &push).await.expect("pushes").unwrap();
            let item = plane.queues().claim(&claim).await.expect("claims").unwrap().items.remove(0);
            let stale = plane.queues().ack(&claim.agent, None, &[item.token]).await.expect("acks").unwrap();
            assert!(stale.is_empty(), "the claim was ours");
            own.push(item.payload);
        }
        own
    };
    let all: HashSet<Vec<u8>> = join_all((0..TASKS).map(one)).await.into_iter().flatten().collect();
    assert_eq!(all.len(), JOBS, "exact delivery");
    JOBS as f64 / started.elapsed().as_secs_f64()
}

/// From before the push to the handler of a worker that waits, in milliseconds: the 99th of a hundred.
pub(crate) async fn dispatch(plane: &Plane) -> f64 {
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    let (end, ended) = oneshot::channel::<()>();
    let handler = move |_: Job| {
        let _ = arrived.send(Instant::now());
        async { Ok::<(), String>(()) }
    };
    let working = plane.worker("high").concurrency(1).until(async move { drop(ended.await) }).run(handler);
    let asking = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let mut waits = Vec::new();
        for _ in 0..1_000 {
            let from = Instant::now();
            plane.queues().push(&queue("high"), &Push::new("x")).await.expect("pushes").unwrap();
            let at = arrivals.recv().await.expect("it arrives");
            waits.push((at - from).as_secs_f64() * 1e3);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(end);
        percentile(&waits, 0.99).unwrap_or(f64::NAN)
    };
    let (report, p99) = tokio::join!(working, asking);
    assert_eq!(report.expect("works").done, 1_000, "exact delivery");
    p99
}
