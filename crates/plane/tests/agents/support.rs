//! A plane on a bench, and looks at its keys.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::TryStreamExt;
use quorate_catalog::ids::{AgentId, WordId};
use quorate_plane::agents::{Registered, Registration};
use quorate_plane::json::Object;
use quorate_plane::{Outcome, Plane};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Value, cmd};
use quorate_testkit::Bench;

pub(crate) fn plane(bench: &Bench) -> Plane {
    Plane::new(bench.scope.clone()).unwrap()
}

/// The same plane as it will be so much later; keys still expire by the server's own clock.
pub(crate) fn later(bench: &Bench, seconds: f64) -> Plane {
    let store = bench.scope.store.with_clock(Clock::Offset((seconds * 1e6) as i64));
    Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap()
}

/// The same plane over another connection.
pub(crate) async fn another(bench: &Bench) -> Plane {
    Plane::new(Scope { store: bench.another_store().await, keys: bench.scope.keys.clone() }).unwrap()
}

pub(crate) fn id(text: &str) -> AgentId {
    AgentId::parse(text).unwrap()
}

pub(crate) fn word(text: &str) -> WordId {
    WordId::parse(text).unwrap()
}

pub(crate) fn object(text: &str) -> Object {
    Object::parse(text).unwrap()
}

pub(crate) async fn register(plane: &Plane, agent: &str) -> Registered {
    plane.agents().register(&Registration::new(id(agent))).await.unwrap().unwrap()
}

pub(crate) fn code<T: std::fmt::Debug>(outcome: Outcome<T>) -> String {
    match outcome {
        Outcome::Done(value) => panic!("done: {value:?}"),
        Outcome::Refused(refusal) => refusal.code,
    }
}

pub(crate) async fn hash(bench: &Bench, key: impl AsRef<str>) -> BTreeMap<String, String> {
    bench.scope.store.query(cmd("HGETALL").arg(key.as_ref())).await.unwrap()
}

pub(crate) async fn ttl(bench: &Bench, key: impl AsRef<str>) -> Duration {
    let millis: i64 = bench.scope.store.query(cmd("PTTL").arg(key.as_ref())).await.unwrap();
    Duration::from_millis(u64::try_from(millis).unwrap_or_else(|_| panic!("{}: {millis}", key.as_ref())))
}

pub(crate) async fn exists(bench: &Bench, key: impl AsRef<str>) -> bool {
    bench.scope.store.query(cmd("EXISTS").arg(key.as_ref())).await.unwrap()
}

pub(crate) async fn score(bench: &Bench, set: impl AsRef<str>, member: &str) -> Option<f64> {
    bench.scope.store.query(cmd("ZSCORE").arg(set.as_ref()).arg(member)).await.unwrap()
}

/// Every key with its value, as the server would write it to disk.
pub(crate) async fn dump(bench: &Bench) -> BTreeMap<Vec<u8>, Value> {
    let pages: Vec<Vec<Vec<u8>>> =
        bench.scope.store.scan("*", 1_000).await.unwrap().try_collect().await.unwrap();
    let mut all = BTreeMap::new();
    for key in pages.into_iter().flatten() {
        let value = bench.scope.store.query(cmd("DUMP").arg(&key)).await.unwrap();
        all.insert(key, value);
    }
    all
}
