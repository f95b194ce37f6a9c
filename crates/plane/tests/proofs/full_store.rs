//! R4: a server whose memory is full refuses what is new at once, and lets what is there drain to nothing.

use std::time::Duration;

use quorate_plane::agents::Registration;
use quorate_plane::locks::Request;
use quorate_plane::{Plane, invariants};
use quorate_store::{ErrorKind, cmd};
use quorate_testkit::soak::{say, size, spread};
use quorate_testkit::{Bench, check};
use tokio::time::Instant;

use crate::support::{agent, grant, lock, plane, request};

const WITHIN: Duration = Duration::from_millis(100);

async fn fill_up(bench: &Bench) {
    let used: String = bench.scope.store.query(cmd("INFO").arg("memory")).await.unwrap();
    let used: u64 =
        used.lines().find_map(|line| line.strip_prefix("used_memory:")).unwrap().trim().parse().unwrap();
    bench.cli("CONFIG SET maxmemory-policy noeviction").await;
    bench.cli(&format!("CONFIG SET maxmemory {}", used / 2)).await;
}

/// What is new is refused with the store's own code.
async fn refused(plane: &Plane, n: usize) -> Vec<Duration> {
    let mut took = Vec::new();
    let began = Instant::now();
    let registered = plane.agents().register(&Registration::new(agent(&format!("new{n}")))).await;
    assert_eq!(registered.unwrap_err().kind(), ErrorKind::OutOfMemory);
    took.push(began.elapsed());
    for on in ["task:new", "name:new", "resource:db:new", "file:new", "project:new"] {
        for wait in [0, 5] {
            let began = Instant::now();
            let wanted = Request { wait: Duration::from_secs(wait), ..request("a", &format!("{on}{n}")) };
            assert_eq!(
                plane.locks().acquire(&wanted).await.unwrap_err().kind(),
                ErrorKind::OutOfMemory,
                "{on}"
            );
            took.push(began.elapsed());
        }
    }
    took
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r4_a_full_server_refuses_what_is_new_and_drains_to_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "w"]).await;
        let mut held = Vec::new();
        for n in 0..size(240, 400) {
            let on =
                [format!("task:{n}"), format!("name:{n}"), format!("resource:db:{n}"), format!("file:{n}")]
                    [n % 4]
                    .clone();
            let fence = grant(plane.locks().acquire(&request("a", &on)).await.unwrap()).fence;
            if n % 10 == 0 {
                let waits = Request { wait: Duration::from_secs(60), detach: true, ..request("w", &on) };
                plane.locks().acquire(&waits).await.unwrap().unwrap();
            }
            held.push((on, fence));
        }
        fill_up(bench).await;
        let mut took = Vec::new();
        for n in 0..size(5, 50) {
            took.extend(refused(&plane, n).await);
        }
        let slowest = took.iter().max().copied().unwrap_or_default();
        say(&format!("r4: refusals of a full server: {}", spread(took)));
        assert!(slowest <= WITHIN, "{slowest:?}");
        for name in ["a", "b"] {
            plane.agents().heartbeat(&agent(name), None).await.unwrap().unwrap();
        }
        for (on, fence) in &held {
            plane.locks().renew(&lock(on), &agent("a"), None, *fence, None).await.unwrap().unwrap();
        }
        // Half is released, which passes locks on to those that wait; the rest goes with its session.
        for (on, fence) in &held[..held.len() / 2] {
            plane.locks().release(&lock(on), &agent("a"), *fence).await.unwrap().unwrap();
        }
        assert!(!plane.locks().held_by(&agent("w")).await.unwrap().is_empty(), "a waiter was passed a lock");
        for name in ["a", "w", "b"] {
            plane.agents().deregister(&agent(name), None).await.unwrap().unwrap();
        }
        assert_eq!(plane.locks().held(10).await.unwrap(), []);
        assert_eq!(
            plane.agents().register(&Registration::new(agent("still"))).await.unwrap_err().kind(),
            ErrorKind::OutOfMemory
        );
        bench.cli("CONFIG SET maxmemory 0").await;
    })
    .await;
}
