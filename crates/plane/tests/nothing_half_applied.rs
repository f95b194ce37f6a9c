//! With a key of another type anywhere in the family, nothing is half applied: every change of tasks, workflows, dead letters,
//! services, search, notices, queues, messages, streams, jobs, limits, dedupe and counters, with each key that it touches poisoned in turn.
//!
//! A row is a change and what must be there before it. What it touches is found by making it once: every key that is there before
//! or after. Then, for each of those, the store is put back, the key gets another type, and the change is made again. It is
//! either done, because that key is none of its business, or it fails and the store is as it was, byte for byte.

use std::collections::BTreeMap;

use quorate_plane::Plane;
use quorate_plane::notices::Post;
use quorate_store::invariant::Scope;
use quorate_store::{Clock, cmd, pipe};
use quorate_testkit::Bench;

mod rows;
mod work;

use rows::{ROWS, Row};
use work::WORK;

fn plane(bench: &Bench, later: i64) -> Plane {
    let store = bench.scope.store.with_clock(Clock::Offset(later * 1_000_000));
    Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap().telling(Post::default())
}

/// Each key with its bytes and its time to live.
type Store = Vec<(String, Vec<u8>, i64)>;

async fn look(bench: &Bench) -> Store {
    let store = &bench.scope.store;
    let mut keys: Vec<String> = store.query(cmd("KEYS").arg("*")).await.unwrap();
    keys.sort();
    let mut all = pipe();
    for key in &keys {
        all.cmd("DUMP").arg(key);
        all.cmd("PTTL").arg(key);
    }
    if keys.is_empty() {
        return vec![];
    }
    let found: Vec<(Vec<u8>, i64)> = store.pipeline(&all).await.unwrap();
    keys.into_iter().zip(found).map(|(key, (bytes, ttl))| (key, bytes, ttl)).collect()
}

fn bytes(store: &Store) -> Vec<(&str, &[u8])> {
    store.iter().map(|(key, bytes, _)| (key.as_str(), bytes.as_slice())).collect()
}

async fn put_back(bench: &Bench, state: &Store) {
    let mut all = pipe();
    all.cmd("FLUSHALL");
    for (key, bytes, ttl) in state {
        all.cmd("RESTORE").arg(key).arg((*ttl).max(0)).arg(bytes);
    }
    bench.scope.store.pipeline::<Vec<String>>(&all).await.unwrap();
}

async fn kind(bench: &Bench, key: &str) -> String {
    bench.scope.store.query(cmd("TYPE").arg(key)).await.unwrap()
}

/// Another type than the key has.
async fn poison(bench: &Bench, key: &str, kind: &str) {
    let mut both = pipe();
    both.cmd("DEL").arg(key);
    both.cmd(if kind == "list" { "SADD" } else { "RPUSH" }).arg(key).arg("poison");
    bench.scope.store.pipeline::<(u64, u64)>(&both).await.unwrap();
}

/// How many keys were in its way, and what was half applied.
async fn try_row(bench: &Bench, row: &Row) -> (usize, Vec<String>) {
    bench.cli("FLUSHALL").await;
    for step in row.before {
        assert!(step(&plane(bench, 0)).await.unwrap(), "{}: what must be there before it", row.name);
    }
    let before = look(bench).await;
    let mut kinds = BTreeMap::new();
    for (key, ..) in &before {
        kinds.insert(key.clone(), kind(bench, key).await);
    }
    assert!((row.change)(&plane(bench, row.later)).await.unwrap(), "{} itself", row.name);
    for (key, ..) in look(bench).await {
        let kind = kind(bench, &key).await;
        kinds.entry(key).or_insert(kind);
    }
    let (mut refused, mut half) = (0, Vec::new());
    for (key, kind) in &kinds {
        put_back(bench, &before).await;
        poison(bench, key, kind).await;
        let poisoned = look(bench).await;
        let ended = (row.change)(&plane(bench, row.later)).await;
        if !ended.as_ref().is_ok_and(|done| *done) {
            refused += 1;
            let found = look(bench).await;
            let was = bytes(&poisoned);
            let changed: Vec<_> = bytes(&found)
                .into_iter()
                .filter(|one| !was.contains(one))
                .map(|(key, _)| key.to_owned())
                .collect();
            if !changed.is_empty() || found.len() != poisoned.len() {
                half.push(format!(
                    "{} with a wrong {key}: {ended:?}; other than before: {changed:?}",
                    row.name
                ));
            }
        }
    }
    (refused, half)
}

#[tokio::test]
async fn with_a_wrong_typed_key_anywhere_nothing_is_half_applied() {
    let bench = Bench::verbatim().await;
    let mut all = Vec::new();
    for row in ROWS.iter().chain(WORK) {
        let (refused, half) = try_row(&bench, row).await;
        assert!(refused > 0, "{}: no key of it was ever in the way", row.name);
        all.extend(half);
    }
    assert!(all.is_empty(), "half applied:\n{}", all.join("\n"));
}
