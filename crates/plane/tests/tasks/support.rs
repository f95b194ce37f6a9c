//! What the tests of tasks share.

use quorate_catalog::ids::TaskId;
use quorate_plane::json::Object;
use quorate_plane::tasks::{Accepted, Report, Taken};
use quorate_plane::{Outcome, Plane};
use quorate_testkit::Bench;
use serde_json::Value;

pub(crate) use crate::support::raw::{dump, text, texts};

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
