//! What the tests of tasks share.

use quorate_catalog::ids::TaskId;
use quorate_plane::json::Object;
use quorate_plane::tasks::{Accepted, Report, Taken};
use quorate_plane::{Outcome, Plane};
use quorate_store::FromRedisValue;
use quorate_testkit::Bench;
use serde_json::Value;

pub(crate) fn plane(bench: &Bench) -> Plane {
    Plane::new(bench.scope.clone()).unwrap()
}

pub(crate) fn task(name: &str) -> TaskId {
    TaskId::parse(name).unwrap()
}

/// An event as a worker writes it.
pub(crate) fn event(name: &str, document: Value) -> Report {
    Report::of(task(name), Object::parse(&document.to_string()).unwrap()).unwrap()
}

pub(crate) async fn take(plane: &Plane, name: &str, document: Value) -> Taken {
    plane.tasks().report(&event(name, document)).await.unwrap().unwrap()
}

pub(crate) async fn accept(plane: &Plane, name: &str, document: Value) -> Accepted {
    match take(plane, name, document).await {
        Taken::Accepted(accepted) => accepted,
        Taken::Duplicate(seq) => panic!("a duplicate of {seq:?}"),
    }
}

pub(crate) fn code<T>(outcome: &Outcome<T>) -> &str {
    outcome.refusal().map_or("", |refusal| refusal.code.as_str())
}

/// The statuses of a task, newest first.
pub(crate) async fn statuses(plane: &Plane, name: &str) -> Vec<String> {
    let history = plane.tasks().history(&task(name), 1_000).await.unwrap();
    history.events.iter().filter_map(|event| event.status().map(str::to_owned)).collect()
}

/// What a command answers, as texts.
pub(crate) async fn texts(bench: &Bench, line: &str) -> Vec<String> {
    Vec::from_redis_value(bench.cli(line).await).unwrap_or_default()
}

pub(crate) async fn text(bench: &Bench, line: &str) -> String {
    String::from_redis_value(bench.cli(line).await).unwrap_or_default()
}

/// Everything there is: each key with its bytes, in order. Two dumps are equal if nothing was changed.
pub(crate) async fn dump(bench: &Bench) -> Vec<(String, Vec<u8>)> {
    let mut keys = texts(bench, "KEYS *").await;
    keys.sort();
    let mut all = Vec::new();
    for key in keys {
        let bytes: Vec<u8> = bench.scope.store.query(quorate_store::cmd("DUMP").arg(&key)).await.unwrap();
        all.push((key, bytes));
    }
    all
}
