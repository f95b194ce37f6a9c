//! E2: clients whose clocks are an hour ahead, an hour behind, or step while they work change nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use quorate_plane::{Plane, invariants};
use quorate_testkit::chaos::{EffectLog, Worker};
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check};
use tokio::time::sleep;

use super::workers::{command, text};
use crate::support::{agent, lock};

const FAKETIME: &str = "/usr/bin/faketime";
/// The loader puts the machine's own library folder for `$LIB`.
const LIBRARY: &str = "/usr/$LIB/faketime/libfaketime.so.1";

/// A worker whose clock reads its offset from a file, again at each look.
fn astray(bench: &Bench, clock: &Path, verb: &str, args: &[&str]) -> Worker {
    let mut command = command(bench, &bench.node.url().reveal(), verb, args);
    command.env("LD_PRELOAD", LIBRARY).env("FAKETIME_TIMESTAMP_FILE", clock).env("FAKETIME_NO_CACHE", "1");
    // The monotonic clock never steps on a real machine.
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("DONT_FAKE_MONOTONIC", "1");
    Worker::spawn(&mut command).expect("the worker starts")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e2_clients_with_wrong_clocks_change_no_bound_and_no_order() {
    if !Path::new(FAKETIME).exists() {
        say("e2: NOT SHOWN, faketime is not installed here; `cargo xtask test` installs it on Debian");
        return;
    }
    check(&invariants(), async |bench| {
        let folder = tempfile::tempdir().unwrap();
        the_clock_is_really_off(bench, folder.path()).await;
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let counter = format!("{}metrics:clocks", bench.scope.keys.namespace_text());
        let clocks = ["+3600s", "-3600s", "+0s", "+0s"];
        let files: Vec<_> = (0..clocks.len()).map(|n| folder.path().join(format!("clock{n}"))).collect();
        let workers: Vec<Worker> = (0..clocks.len())
            .map(|n| {
                std::fs::write(&files[n], clocks[n]).unwrap();
                let name = format!("w{n}");
                astray(
                    bench,
                    &files[n],
                    "increment",
                    &[&name, "name:clock", &counter, text(log.path()), "guarded"],
                )
            })
            .collect();
        let plane = Plane::new(bench.scope.clone()).unwrap();
        for round in 0..size(40, 600) {
            // The last one steps back and forth between the hours.
            std::fs::write(&files[3], ["+3600s", "-3600s", "+0s"][round % 3]).unwrap();
            bounds_hold(&plane).await;
            sleep(Duration::from_millis(150)).await;
        }
        drop(workers);
        let lines = log.read().unwrap().lines;
        let by_value: BTreeMap<u64, u64> = lines
            .iter()
            .map(|(value, who)| (value.parse().unwrap(), who.split(' ').next().unwrap().parse().unwrap()))
            .collect();
        assert_eq!(by_value.len(), lines.len(), "two holders wrote one value");
        assert!(by_value.values().is_sorted_by(|one, two| one < two), "an older fence wrote later");
        let writers: BTreeSet<&str> = lines.iter().map(|(_, who)| who.split(' ').nth(1).unwrap()).collect();
        assert_eq!(writers.len(), clocks.len(), "somebody never got the lock: {writers:?}");
        say(&format!("e2: {} guarded updates by clients at +1 h, -1 h, 0 and stepping", lines.len()));
    })
    .await;
}

/// What a lease, a lock and a wait last is what was asked for, by the server's time.
async fn bounds_hold(plane: &Plane) {
    let now = plane.store().time().await.unwrap();
    let shown = plane.locks().show(&lock("name:clock"), 10).await.unwrap();
    for hold in shown.holders {
        assert_eq!(hold.expires_at.millis() - hold.acquired_at.millis(), 250, "{hold:?}");
        assert!(hold.acquired_at >= now || now.since(hold.acquired_at) < Duration::from_secs(1), "{hold:?}");
    }
    for waiter in shown.waiters {
        assert_eq!(waiter.deadline.millis() - waiter.since.millis(), 5_000, "{waiter:?}");
    }
    let sessions = plane.agents().show(&agent("w0")).await.unwrap();
    let lease = sessions.and_then(|agent| agent.lease_until);
    // Asked for after the lease, which may have been renewed between two looks.
    let later = plane.store().time().await.unwrap().get() as f64 / 1e6;
    assert!(lease.is_none_or(|until| until - later < 2.1), "{lease:?} at {later}");
}

/// A worker writes its own clock into its history; without this the test could pass with every clock right.
async fn the_clock_is_really_off(bench: &Bench, folder: &Path) {
    let (clock, log) = (folder.join("clock"), EffectLog::open(folder.join("history")).unwrap());
    std::fs::write(&clock, "+3600s").unwrap();
    let mut worker =
        astray(bench, &clock, "history", &["off", "1", "4", "1000", text(log.path()), "name:off"]);
    assert!(worker.wait(Duration::from_secs(10)).unwrap().is_some_and(|status| status.success()));
    let began: u64 = log.read().unwrap().lines[0].0.split(' ').nth(4).unwrap().parse().unwrap();
    let ahead = began.saturating_sub(bench.scope.store.time().await.unwrap().get());
    assert!((3_500_000_000..3_700_000_000).contains(&ahead), "the worker's clock is {ahead} µs ahead");
}
