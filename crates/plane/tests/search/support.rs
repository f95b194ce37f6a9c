//! What the tests of the search share.

use futures_util::future::join_all;
use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_plane::search::{ServiceDocument, Sighting, TaskPage, TaskQuery};
use quorate_plane::{Outcome, Plane};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Micros};
use quorate_testkit::Bench;

pub(crate) use crate::support::raw::{dump, text, texts};

pub(crate) fn plane(bench: &Bench) -> Plane {
    Plane::new(bench.scope.clone()).unwrap()
}

/// The plane as it is so many seconds from now.
pub(crate) fn later(bench: &Bench, seconds: i64) -> Plane {
    let store = bench.scope.store.with_clock(Clock::Offset(seconds * 1_000_000));
    Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap()
}

pub(crate) fn at(text: &str) -> Micros {
    quorate_plane::tasks::moment(text).unwrap()
}

pub(crate) fn id(name: &str) -> ServiceId {
    ServiceId::parse(name).unwrap()
}

pub(crate) fn seen(service: &str, task: &str, status: &str) -> Sighting {
    Sighting {
        service: id(service),
        service_name: service.to_uppercase(),
        environment: "production".into(),
        task: TaskId::parse(task).unwrap(),
        correlation_id: None,
        status: Some(status.into()),
        stage: None,
        event_type: format!("status.{status}"),
        at: None,
    }
}

pub(crate) async fn note(plane: &Plane, sighting: &Sighting) {
    plane.search().note(sighting).await.unwrap().unwrap();
}

/// Many at once.
pub(crate) async fn note_all(plane: &Plane, sightings: &[Sighting]) {
    for some in sightings.chunks(100) {
        join_all(some.iter().map(|one| note(plane, one))).await;
    }
}

pub(crate) fn service(name: &str) -> ServiceDocument {
    ServiceDocument {
        service_id: name.into(),
        name: format!("The {name}"),
        environment: "production".into(),
        tags: vec!["core".into(), "billing team".into()],
        status: "registered".into(),
        health_status: None,
        base_url: format!("https://{name}.example.com"),
        auth_mode: "none".into(),
        last_seen_at: None,
    }
}

pub(crate) fn by_status(status: &str) -> TaskQuery {
    TaskQuery { status: Some(status.into()), limit: 50, ..TaskQuery::default() }
}

pub(crate) async fn search(plane: &Plane, query: &TaskQuery) -> TaskPage {
    plane.search().tasks(query).await.unwrap().unwrap()
}

/// The tasks that a search finds, page by page, and how many pages that took.
pub(crate) async fn found(plane: &Plane, query: &TaskQuery) -> (Vec<String>, usize) {
    let (mut names, mut query, mut pages) = (Vec::new(), query.clone(), 0);
    loop {
        let page = search(plane, &query).await;
        names.extend(page.items.into_iter().map(|item| item.task_id));
        pages += 1;
        match page.next_cursor {
            Some(cursor) => query.cursor = Some(cursor),
            None => return (names, pages),
        }
    }
}

pub(crate) fn code<T>(outcome: &Outcome<T>) -> &str {
    outcome.refusal().map_or("", |refusal| refusal.code.as_str())
}
