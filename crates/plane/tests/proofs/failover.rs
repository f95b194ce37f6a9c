//! L2, L10: over failovers of a stopped master, fences grow, and no two clients are told of a durable hold together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_engine::Sentinels;
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Request};
use quorate_plane::{Outcome, Plane};
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};
use quorate_testkit::soak::{say, size};
use tokio::time::{Instant, sleep};

use super::fences::Fences;
use crate::support::{agent, lock, request};

async fn connect(url: &str) -> Plane {
    let options = Options::default().response_timeout(Duration::from_secs(2));
    let store = Store::connect(Target::parse(url).unwrap(), options).await.unwrap();
    let keys = Keys::new("".parse().unwrap(), Layout::Plain, Prefixes::default());
    Plane::new(Scope { store, keys }).unwrap()
}

fn durable(name: &str, on: &str) -> Request {
    Request { durable: true, ttl: Some(Duration::from_secs(600)), ..request(name, on) }
}

fn granted(outcome: &quorate_store::Result<Outcome<Acquire>>) -> Option<u64> {
    match outcome {
        Ok(Outcome::Done(Acquire::Granted(grant))) => Some(grant.fence),
        _ => None,
    }
}

/// Repeats until it is granted; a new master has no replica for a moment, and no answer before that.
async fn insist(plane: &Plane, wanted: &Request) -> u64 {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let again = Request { request: quorate_plane::random_id(), ..wanted.clone() };
        let outcome = plane.locks().acquire(&again).await;
        if let Some(fence) = granted(&outcome) {
            return fence;
        }
        assert!(Instant::now() < deadline, "{}: {outcome:?}", wanted.on);
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l2_l10_over_failovers_fences_grow_and_durable_holds_are_alone() {
    let trio = tokio::task::block_in_place(|| Sentinels::start(&quorate_testkit::binary())).unwrap();
    let ports: Vec<String> =
        trio.sentinels().iter().map(|sentinel| format!("127.0.0.1:{}", sentinel.port())).collect();
    let follows = connect(&format!("redis+sentinel://{}/{}", ports.join(","), Sentinels::NAME)).await;
    for name in ["a", "b"] {
        let long = Registration { lease: Duration::from_secs(3_600), ..Registration::new(agent(name)) };
        follows.agents().register(&long).await.unwrap().unwrap();
    }
    assert!(follows.store().wait_replicas(2, Duration::from_secs(5)).await.unwrap() >= 2);
    let (mut fences, mut durably, rounds) = (Fences::default(), 0, size(1, 20));
    for round in 0..rounds {
        durably += one(&trio, &follows, &mut fences, round).await;
    }
    say(&format!(
        "l2, l10: {rounds} failovers, {} fences, {durably} durable holds, none granted twice",
        fences.count()
    ));
    assert!(durably >= rounds * 5);
}

/// One failover; gives how many durable holds it had to survive.
async fn one(trio: &Sentinels, follows: &Plane, fences: &mut Fences, round: usize) -> usize {
    let old = trio.master_port().unwrap();
    let master = trio.servers().iter().find(|server| server.port() == old).unwrap();
    let stays = connect(&format!("redis://127.0.0.1:{old}")).await;
    let fence = insist(follows, &durable("b", "name:fence")).await;
    fences.note("name:fence", fence, "a failover");
    follows.locks().release(&lock("name:fence"), &agent("b"), fence).await.unwrap().unwrap();
    let told = take_until_stopped(&stays, round, || master.pause()).await;
    tokio::task::block_in_place(|| trio.wait_failover(old, Duration::from_secs(60))).unwrap();
    for on in &told {
        let outcome = follows.locks().acquire(&request("b", on)).await.unwrap();
        let holder = outcome.refusal().and_then(|why| why.detail.as_deref());
        assert_eq!(holder, Some("a"), "round {round}: {on} was durable, and is now {outcome:?}");
    }
    let fence = insist(follows, &durable("b", "name:fence")).await;
    fences.note("name:fence", fence, "a failover");
    // The old master wakes up and believes it still is one: nothing it grants is durable.
    master.resume();
    let until = Instant::now() + Duration::from_millis(1_500);
    while Instant::now() < until {
        let late = Request { request: quorate_plane::random_id(), ..durable("a", "name:fence") };
        let outcome = stays.locks().acquire(&late).await;
        assert_eq!(granted(&outcome), None, "round {round}: two were told they hold it durably");
    }
    follows.locks().release(&lock("name:fence"), &agent("b"), fence).await.unwrap().unwrap();
    settle(trio, old).await;
    told.len()
}

/// Takes one durable lock after the other on the master, which is stopped meanwhile; gives those it was told of.
async fn take_until_stopped(stays: &Plane, round: usize, stop: impl FnOnce()) -> Vec<String> {
    let over = Arc::new(AtomicBool::new(false));
    let (plane, ended) = (stays.clone(), Arc::clone(&over));
    let taking = tokio::spawn(async move {
        let mut told = Vec::new();
        while !ended.load(Ordering::SeqCst) {
            let on = format!("name:d{round}-{}", told.len());
            match plane.locks().acquire(&durable("a", &on)).await {
                Ok(Outcome::Done(Acquire::Granted(_))) => told.push(on),
                _ => break,
            }
        }
        told
    });
    sleep(Duration::from_millis(400)).await;
    stop();
    sleep(Duration::from_millis(50)).await;
    over.store(true, Ordering::SeqCst);
    taking.await.unwrap()
}

/// Waits until the old master follows the new one, and another failover may begin.
async fn settle(trio: &Sentinels, old: u16) {
    let server = trio.servers().iter().find(|server| server.port() == old).unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let info = server.call(&["INFO", "replication"]);
        if info.is_ok_and(|info| {
            info.text().contains("role:slave") && info.text().contains("master_link_status:up")
        }) {
            return;
        }
        assert!(Instant::now() < deadline, "the old master never came back as a replica");
        sleep(Duration::from_millis(100)).await;
    }
}
