//! What the tests of queues share.

use quorate_plane::Plane;
use quorate_plane::queues::{Claim, Item, Push, Queue};
use quorate_store::Clock;
use quorate_testkit::Bench;

use super::agent;

pub(crate) fn queue(name: &str) -> Queue {
    name.parse().unwrap()
}

pub(crate) async fn push(plane: &Plane, name: &str, payload: &str) -> String {
    plane.queues().push(&queue(name), &Push::new(payload)).await.unwrap().unwrap().id
}

pub(crate) fn wanted(who: &str, names: &[&str], most: usize) -> Claim {
    let queues = names.iter().map(|name| queue(name)).collect();
    Claim { queues, most, ..Claim::new(queue("normal"), agent(who)) }
}

pub(crate) async fn claim(plane: &Plane, who: &str, names: &[&str], most: usize) -> Vec<Item> {
    plane.queues().claim(&wanted(who, names, most)).await.unwrap().unwrap().items
}

pub(crate) fn texts(items: &[Item]) -> Vec<String> {
    items.iter().map(Item::text).collect()
}

pub(crate) async fn ack(plane: &Plane, who: &str, item: &Item) -> bool {
    plane
        .queues()
        .ack(&agent(who), None, std::slice::from_ref(&item.token))
        .await
        .unwrap()
        .unwrap()
        .is_empty()
}

/// The same plane, some milliseconds later.
pub(crate) fn later(bench: &Bench, ms: i64) -> Plane {
    let mut scope = bench.scope.clone();
    scope.store = scope.store.with_clock(Clock::Offset(ms * 1_000));
    Plane::new(scope).unwrap()
}
