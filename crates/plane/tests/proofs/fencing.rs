//! L3: no update is lost to a holder that was stopped past its lease, if its write is guarded; and lost without.

use std::collections::BTreeMap;
use std::time::Duration;

use quorate_plane::{Plane, invariants};
use quorate_testkit::chaos::{EffectLog, Worker};
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check};
use tokio::time::sleep;

use super::workers::{start, text};
use crate::support::lock;

const WRITERS: usize = 5;

struct Counted {
    counter: u64,
    /// What the store accepted: value and fence.
    accepted: Vec<(u64, u64)>,
}

/// So many times whoever holds the lock is stopped, until another has had it.
async fn stop_holders(
    bench: &Bench,
    guarded: &str,
    rounds: usize,
    enough: impl Fn(&Counted) -> bool,
) -> Counted {
    let folder = tempfile::tempdir().unwrap();
    let log = EffectLog::open(folder.path().join("effects")).unwrap();
    let counter = format!("{}metrics:{guarded}", bench.scope.keys.namespace_text());
    let on = format!("name:{guarded}");
    let workers: Vec<Worker> = (0..WRITERS)
        .map(|n| start(bench, "increment", &[&format!("w{n}"), &on, &counter, text(log.path()), guarded]))
        .collect();
    let plane = Plane::new(bench.scope.clone()).unwrap();
    let mut stopped = 0;
    while stopped < rounds && !enough(&count(bench, &log, &counter).await) {
        sleep(Duration::from_millis(5)).await;
        // Whoever holds the lock is hit: a bystander would prove nothing.
        let shown = plane.locks().show(&lock(&on), 1).await.unwrap();
        let Some(holder) = shown.holders.first() else { continue };
        let worker = &workers[holder.agent[1..].parse::<usize>().unwrap()];
        worker.stop().unwrap();
        stopped += 1;
        for _ in 0..100 {
            sleep(Duration::from_millis(20)).await;
            let now = plane.locks().show(&lock(&on), 1).await.unwrap();
            if now.fence > holder.fence + 1 && now.holders.iter().all(|other| other.agent != holder.agent) {
                break;
            }
        }
        sleep(Duration::from_millis(60)).await;
        worker.cont().unwrap();
    }
    // Stopping all of them first lets no write be under way without its line.
    sleep(Duration::from_millis(400)).await;
    drop(workers);
    let counted = count(bench, &log, &counter).await;
    say(&format!(
        "l3 {guarded}: {stopped} stops, {} writes accepted, counter {}",
        counted.accepted.len(),
        counted.counter
    ));
    counted
}

async fn count(bench: &Bench, log: &EffectLog, counter: &str) -> Counted {
    // The log first: a line is there after its write, so the counter is never behind for that reason.
    let lines = log.read().unwrap().lines;
    let counter =
        bench.scope.store.query::<Option<u64>>(quorate_store::cmd("GET").arg(counter)).await.unwrap();
    let accepted = lines
        .iter()
        .map(|(value, who)| (value.parse().unwrap(), who.split(' ').next().unwrap().parse().unwrap()));
    Counted { counter: counter.unwrap_or_default(), accepted: accepted.collect() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l3_no_guarded_update_is_lost_to_a_stopped_holder() {
    check(&invariants(), async |bench| {
        let counted = stop_holders(bench, "guarded", size(8, 500), |_| false).await;
        let mut by_value: BTreeMap<u64, u64> = BTreeMap::new();
        for (value, fence) in &counted.accepted {
            assert_eq!(by_value.insert(*value, *fence), None, "two holders wrote {value}");
        }
        let fences: Vec<u64> = by_value.values().copied().collect();
        assert!(fences.is_sorted_by(|a, b| a < b), "an older fence wrote later");
        // The end kills the writers, so one write may lack its line; a lost update would leave the counter below.
        let written = by_value.len() as u64;
        assert!(
            (written..=written + 1).contains(&counted.counter),
            "{written} written, counter {}",
            counted.counter
        );
    })
    .await;
}

/// The same without the guard: it must lose, or the test above would prove nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l3_without_the_guard_updates_are_lost() {
    check(&invariants(), async |bench| {
        let lost = |counted: &Counted| counted.accepted.len() as u64 > counted.counter;
        let counted = stop_holders(bench, "bare", 60, lost).await;
        assert!(lost(&counted), "nothing was lost in 60 rounds: the guarded test shows nothing");
    })
    .await;
}
