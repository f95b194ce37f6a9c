//! L2: the fence of a lock strictly grows over release, expiry, lost sessions, deleted side keys and crashes.

use std::collections::BTreeMap;
use std::time::Duration;

use quorate_catalog::ids::LockRef;
use quorate_plane::agents::Registration;
use quorate_plane::locks::Request;
use quorate_plane::{Plane, invariants};
use quorate_testkit::Bench;
use quorate_testkit::soak::{Dice, say, size};
use tokio::time::sleep;

use crate::support::{agent, grant, lock, plane, request};

const LOCKS: [&str; 6] =
    ["task:t", "name:n", "resource:db:main", "project:p", "project:q:docs", "file:src/main.rs"];

/// The last fence of each lock, and how many there were.
#[derive(Default)]
pub(crate) struct Fences {
    last: BTreeMap<String, u64>,
    count: usize,
}

impl Fences {
    pub(crate) fn note(&mut self, on: &str, fence: u64, after: &str) {
        self.count += 1;
        let before = self.last.insert(on.to_owned(), fence).unwrap_or_default();
        assert!(fence > before, "{on}: {fence} after {before}, over {after}");
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

/// Each lock is taken once, and ends as it may.
async fn once(plane: &Plane, fences: &mut Fences, dice: &mut Dice, after: &str) {
    for on in LOCKS {
        let way = dice.below(4);
        let name = if way == 2 { "lost" } else { "a" };
        if way == 2 {
            let short = Registration { lease: Duration::from_millis(30), ..Registration::new(agent("lost")) };
            plane.agents().register(&short).await.unwrap().unwrap();
        }
        let ttl = Duration::from_millis(if way == 1 { 30 } else { 60_000 });
        // The last holder may not have been noticed gone yet.
        let wanted = Request { ttl: Some(ttl), wait: Duration::from_secs(5), ..request(name, on) };
        let got = grant(plane.locks().acquire(&wanted).await.unwrap());
        fences.note(on, got.fence, after);
        match way {
            0 => plane.locks().release(&lock(on), &agent(name), got.fence).await.unwrap().unwrap(),
            1 | 2 => sleep(Duration::from_millis(35)).await,
            _ => {
                let state = LockRef::parse(&lock(on).lock_ref()).unwrap();
                let keys = plane.keys();
                plane.locks().release(&lock(on), &agent(name), got.fence).await.unwrap().unwrap();
                let mut delete = quorate_store::cmd("DEL");
                delete
                    .arg(keys.quorate().lock_state(&state).as_str())
                    .arg(keys.ade().lock_registry().as_str());
                plane.store().repeatable().query::<u64>(&delete).await.unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l2_a_fence_grows_over_every_end_of_a_hold_and_every_crash_of_the_server() {
    let mut bench = Bench::start().await;
    let (mut dice, mut fences, restarts) = (Dice::of("l2"), Fences::default(), size(3, 20));
    let plane = plane(&bench, &["a"]).await;
    for restart in 0..=restarts {
        for _ in 0..size(4, 20) {
            once(&plane, &mut fences, &mut dice, "an end of the hold").await;
        }
        if restart < restarts {
            bench.node.kill9();
            bench.node.restart().unwrap();
            once(&plane, &mut fences, &mut dice, "a crash of the server").await;
        }
    }
    say(&format!(
        "l2: {} fences of {} locks over {restarts} crashes of the server",
        fences.count(),
        LOCKS.len()
    ));
    sleep(Duration::from_millis(100)).await;
    quorate_plane::maintenance::tick(&plane).await.unwrap();
    assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
}
