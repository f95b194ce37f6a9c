//! What the plane's tests share.

pub(crate) mod mail;
pub(crate) mod queues;
pub(crate) mod raw;
pub(crate) mod receiver;

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Grant, Request, Resource};
use quorate_plane::{Outcome, Plane, Refusal};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Value};
use quorate_testkit::Bench;

pub(crate) fn agent(name: &str) -> AgentId {
    AgentId::parse(name).unwrap()
}

pub(crate) fn lock(name: &str) -> Resource {
    name.parse().unwrap()
}

/// A plane on the bench with these agents registered.
pub(crate) async fn plane(bench: &Bench, agents: &[&str]) -> Plane {
    let plane = Plane::new(bench.scope.clone()).unwrap();
    for name in agents {
        // Nobody beats for them, and a proof in full size takes minutes.
        let lease = Duration::from_secs(3_600);
        plane
            .agents()
            .register(&Registration { lease, ..Registration::new(agent(name)) })
            .await
            .unwrap()
            .unwrap();
    }
    plane
}

/// Ends an agent's lease without a word to anybody.
pub(crate) async fn end_lease(bench: &Bench, plane: &Plane, name: &str) {
    let record = plane.keys().quorate().agent(&agent(name));
    bench.cli(&format!("HSET {} lease_until 1", record.as_str())).await;
}

/// The plane as it is so many seconds from now.
pub(crate) fn later(bench: &Bench, seconds: i64) -> Plane {
    at_clock(bench, Clock::Offset(seconds * 1_000_000))
}

/// The plane by another clock.
pub(crate) fn at_clock(bench: &Bench, clock: Clock) -> Plane {
    let store = bench.scope.store.with_clock(clock);
    Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap()
}

pub(crate) fn request(name: &str, on: &str) -> Request {
    Request::new(lock(on), agent(name))
}

pub(crate) async fn take(plane: &Plane, name: &str, on: &str) -> Grant {
    grant(plane.locks().acquire(&request(name, on)).await.unwrap())
}

/// Leaves a place in the line of a lock, for a minute.
pub(crate) async fn detached(plane: &Plane, wanted: &Request) {
    let asked = Request { detach: true, wait: Duration::from_secs(60), ..wanted.clone() };
    let queued = plane.locks().acquire(&asked).await.unwrap();
    assert!(matches!(queued, Outcome::Done(Acquire::Queued { .. })), "{queued:?}");
}

pub(crate) fn grant(outcome: Outcome<Acquire>) -> Grant {
    match outcome {
        Outcome::Done(Acquire::Granted(grant)) => grant,
        other => panic!("not granted: {other:?}"),
    }
}

pub(crate) fn refused<T: std::fmt::Debug>(outcome: Outcome<T>) -> Refusal {
    match outcome {
        Outcome::Refused(refusal) => refusal,
        Outcome::Done(value) => panic!("not refused: {value:?}"),
    }
}

/// How many clients the server has.
pub(crate) async fn clients(bench: &Bench) -> usize {
    match bench.cli("CLIENT LIST").await {
        Value::BulkString(text) => String::from_utf8_lossy(&text).lines().count(),
        Value::VerbatimString { text, .. } => text.lines().count(),
        other => panic!("{other:?}"),
    }
}

/// How many scripts it has run.
pub(crate) async fn scripts(bench: &Bench) -> u64 {
    let stats = bench.scope.store.info("commandstats").await.unwrap();
    let calls = |name: &str| stats.get(name)?.split(['=', ',']).nth(1)?.parse::<u64>().ok();
    calls("cmdstat_evalsha").unwrap_or(0)
}
