//! L5, L6, L7: a free lock reaches the next living waiter in time, in order, and nobody starves.

use std::time::Duration;

use futures_util::future::join_all;
use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};
use quorate_testkit::chaos::{EffectLog, Fault, Proxy, Worker};
use quorate_testkit::soak::{Dice, say, size, spread};
use quorate_testkit::{Bench, check};
use tokio::time::{Instant, sleep};

use super::workers::{start, text};
use crate::support::{agent, grant, lock, plane, request, take};

/// A plane behind a proxy.
async fn proxied(bench: &Bench) -> (Proxy, Plane) {
    let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
    let target = Target::parse(&format!("redis://{}", proxy.address())).unwrap();
    let store = Store::connect(target, Options::default()).await.unwrap();
    (proxy, Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap())
}

/// A plane that hears no published message.
async fn deaf(bench: &Bench) -> (Proxy, Plane) {
    let (proxy, plane) = proxied(bench).await;
    proxy.set(Fault::DropPubsub);
    (proxy, plane)
}

/// L5: released or lapsed, the lock is there within a second though every message is lost, and in the order of arrival.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l5_no_message_is_needed_for_a_lock_to_pass_on_in_time() {
    check(&invariants(), async |bench| {
        let mut dice = Dice::of("l5");
        let direct = plane(bench, &["holder", "deaf"]).await;
        let (_proxy, deaf) = deaf(bench).await;
        let mut took = Vec::new();
        for round in 0..size(3, 60) {
            let all = (0..12).map(|n| {
                let on = [
                    format!("task:{round}-{n}"),
                    format!("name:{round}-{n}"),
                    format!("resource:r:{round}-{n}"),
                ][n % 3]
                    .clone();
                let (direct, deaf, pause) =
                    (direct.clone(), deaf.clone(), Duration::from_millis(dice.below(700) as u64));
                let lapses = dice.percent(50);
                tokio::spawn(async move { pass_on(&direct, &deaf, &on, pause, lapses).await })
            });
            took.extend(join_all(all.collect::<Vec<_>>()).await.into_iter().map(Result::unwrap));
        }
        let slowest = took.iter().max().copied().unwrap_or_default();
        say(&format!("l5: hand-over with every message lost: {}", spread(took)));
        assert!(slowest <= Duration::from_secs(1), "{slowest:?}");
    })
    .await;
}

async fn pass_on(direct: &Plane, deaf: &Plane, on: &str, pause: Duration, lapses: bool) -> Duration {
    let ttl = if lapses { Duration::from_millis(300) + pause } else { Duration::from_secs(30) };
    let held = Request { ttl: Some(ttl), ..request("holder", on) };
    let held = grant(direct.locks().acquire(&held).await.unwrap());
    let patient = Request { wait: Duration::from_secs(20), ..request("deaf", on) };
    let waiting = async {
        let got = grant(deaf.locks().acquire(&patient).await.unwrap());
        (got, Instant::now())
    };
    let freeing = async {
        sleep(pause).await;
        if !lapses {
            direct.locks().release(&lock(on), &agent("holder"), held.fence).await.unwrap().unwrap();
        }
        Instant::now()
    };
    let ((got, at), freed) = tokio::join!(waiting, freeing);
    let took = if lapses {
        // By the server's clock: what is left of the second it has, once it was granted.
        let granted_at = direct.locks().show(&lock(on), 1).await.unwrap().holders[0].acquired_at;
        granted_at.since(held.expires_at)
    } else {
        at.saturating_duration_since(freed)
    };
    direct.locks().release(&lock(on), &agent("deaf"), got.fence).await.unwrap().unwrap();
    took
}

/// L5: first come, first served within a priority; a point of priority is worth a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l5_waiters_are_served_in_their_order() {
    check(&invariants(), async |bench| {
        let names: Vec<String> = (0..size(10, 40)).map(|n| format!("q{n}")).collect();
        let plane =
            plane(bench, &[&["holder"], &names.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat())
                .await;
        for on in ["task:t", "name:n", "resource:r:1"] {
            let held = take(&plane, "holder", on).await;
            for (n, name) in names.iter().enumerate() {
                let priority = if n % 5 == 4 { 90 } else { 0 };
                let wanted =
                    Request { wait: Duration::from_secs(60), detach: true, priority, ..request(name, on) };
                assert!(matches!(
                    plane.locks().acquire(&wanted).await.unwrap(),
                    Outcome::Done(Acquire::Queued { .. })
                ));
            }
            let by_priority =
                |urgent: bool| names.iter().enumerate().filter(move |(n, _)| (n % 5 == 4) == urgent);
            let expected: Vec<&String> =
                by_priority(true).chain(by_priority(false)).map(|(_, name)| name).collect();
            let (mut holder, mut fence) = ("holder".to_owned(), held.fence);
            for next in expected {
                plane.locks().release(&lock(on), &agent(&holder), fence).await.unwrap().unwrap();
                let shown = plane.locks().show(&lock(on), 1).await.unwrap();
                assert_eq!(shown.holders[0].agent, *next, "{on}");
                (holder, fence) = (next.clone(), shown.holders[0].fence);
            }
            plane.locks().release(&lock(on), &agent(&holder), fence).await.unwrap().unwrap();
        }
    })
    .await;
}

const LEASE: Duration = Duration::from_millis(1_500);

/// L6: a waiter that was killed neither keeps the lock from the next one, nor gets it, for longer than its session; however
/// long that is, for its process no longer listens.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l6_a_killed_waiter_neither_gets_nor_holds_up_a_lock() {
    check(&invariants(), async |bench| {
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("granted")).unwrap();
        let plane = plane(bench, &["holder", "alive"]).await;
        let (mut took, at_once) = (Vec::new(), 10);
        for round in 0..size(2, 20) {
            let session = if round % 2 == 0 { LEASE } else { Duration::from_secs(600) };
            let on = ["task:t", "name:n", "resource:r:1", "file:f"][round % 4];
            let held = grant(
                plane
                    .locks()
                    .acquire(&Request { ttl: Some(Duration::from_secs(600)), ..request("holder", on) })
                    .await
                    .unwrap(),
            );
            let mut waiters: Vec<Worker> = (0..at_once)
                .map(|n| {
                    start(
                        bench,
                        "wait",
                        &[&format!("k{round}-{n}"), on, &session.as_millis().to_string(), text(log.path())],
                    )
                })
                .collect();
            wait_for(&plane, on, at_once as u64).await;
            let (patient, waiting) =
                (Request { wait: Duration::from_secs(30), ..request("alive", on) }, plane.clone());
            let alive = tokio::spawn(async move {
                (grant(waiting.locks().acquire(&patient).await.unwrap()), Instant::now())
            });
            wait_for(&plane, on, at_once as u64 + 1).await;
            for waiter in &mut waiters {
                waiter.kill9().unwrap();
            }
            plane.agents().heartbeat(&agent("alive"), None).await.unwrap().unwrap();
            let killed = Instant::now();
            plane.locks().release(&lock(on), &agent("holder"), held.fence).await.unwrap().unwrap();
            let (got, at) = alive.await.unwrap();
            took.push(at - killed);
            plane.locks().release(&lock(on), &agent("alive"), got.fence).await.unwrap().unwrap();
            for n in 0..at_once {
                plane.locks().release_agent(&agent(&format!("k{round}-{n}"))).await.unwrap();
            }
        }
        let slowest = took.iter().max().copied().unwrap_or_default();
        let dead = took.len() * at_once;
        say(&format!("l6: {dead} killed waiters; the living one behind them: {}", spread(took)));
        assert!(slowest <= LEASE + Duration::from_secs(1), "{slowest:?}");
        assert!(log.read().unwrap().lines.is_empty(), "a killed waiter says it was granted the lock");
    })
    .await;
}

/// Who was stopped, or was far away, may hear of a grant when it has lapsed; it has nothing then, and asks again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_hears_too_late_of_a_grant_does_not_take_it() {
    check(&invariants(), async |bench| {
        let direct = plane(bench, &["holder", "far"]).await;
        let (proxy, far) = proxied(bench).await;
        let held = take(&direct, "holder", "name:n").await;
        let (wait, ttl) = (Duration::from_secs(60), Some(Duration::from_millis(300)));
        let wanted = Request { wait, ttl, ..request("far", "name:n") };
        let asked = wanted.clone();
        let waits = tokio::spawn(async move { grant(far.locks().acquire(&asked).await.unwrap()) });
        wait_for(&direct, "name:n", 1).await;
        let name = quorate_catalog::ids::LockRef::parse("name:n").unwrap();
        let waiters = direct.keys().quorate().lock_waiters(&name);
        let place = async || {
            format!("{:?}", bench.cli(&format!("HGET {} {}", waiters.as_str(), wanted.request)).await)
        };
        // A look has come when its place says so; its answer is still on the way when the lock is granted.
        proxy.set(Fault::Delay(Duration::from_millis(800)));
        let before = place().await;
        while place().await == before {
            sleep(Duration::from_millis(5)).await;
        }
        direct.locks().release(&lock("name:n"), &agent("holder"), held.fence).await.unwrap().unwrap();
        let first = direct.locks().show(&lock("name:n"), 1).await.unwrap().holders[0].fence;
        let told = tokio::time::timeout(Duration::from_secs(20), waits).await.expect("it is free").unwrap();
        assert!(told.fence > first, "it was told of {first}, which had lapsed");
    })
    .await;
}

async fn wait_for(plane: &Plane, on: &str, waiting: u64) {
    for _ in 0..1_500 {
        if plane.locks().show(&lock(on), 1).await.unwrap().waiting == waiting {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("{waiting} never waited for {on}");
}

/// L7: readers that never leave a gap do not keep a writer out, nor writers a reader.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l7_neither_readers_nor_writers_starve_the_other() {
    check(&invariants(), async |bench| {
        let names: Vec<String> = (0..7).map(|n| format!("s{n}")).collect();
        let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        for (many, one) in [(Mode::Shared, Mode::Exclusive), (Mode::Exclusive, Mode::Shared)] {
            let stop = Instant::now() + Duration::from_secs(size(3, 60) as u64);
            let crowd: Vec<_> = names[1..]
                .iter()
                .map(|name| {
                    tokio::spawn(go_on(plane.clone(), name.clone(), many, Duration::from_millis(25), stop))
                })
                .collect();
            let lonely = go_on(plane.clone(), names[0].clone(), one, Duration::ZERO, stop).await;
            let others = join_all(crowd).await.into_iter().flat_map(Result::unwrap).count();
            let slowest = lonely.iter().max().copied().unwrap_or_default();
            say(&format!("l7: one {one:?} among 6 {many:?} ({others} holds): {}", spread(lonely.clone())));
            // Readers before it leave within their 25 ms; at most six writers are before it, 25 ms each.
            let bound = if one == Mode::Exclusive { 25 } else { 6 * 25 } + 600;
            assert!(slowest <= Duration::from_millis(bound), "{one:?}: {slowest:?}");
            assert!(lonely.len() >= size(5, 100) && others > 20, "{} and {others}", lonely.len());
        }
    })
    .await;
}

/// Takes the lock again and again and keeps it for a while; gives how long each wait was.
async fn go_on(plane: Plane, name: String, mode: Mode, keep: Duration, stop: Instant) -> Vec<Duration> {
    let mut waits = Vec::new();
    while Instant::now() < stop {
        let wanted = Request { mode, wait: Duration::from_secs(20), ..request(&name, "resource:db:main") };
        let asked = Instant::now();
        let got = grant(plane.locks().acquire(&wanted).await.unwrap());
        waits.push(asked.elapsed());
        sleep(keep).await;
        plane.locks().release(&wanted.on, &wanted.agent, got.fence).await.unwrap().unwrap();
        if keep.is_zero() {
            sleep(Duration::from_millis(10)).await;
        }
    }
    waits
}
