//! Streams come back with everything a consumer relies on.

use std::collections::BTreeMap;

use quorate_engine::Binary;
use quorate_store::Value;
use quorate_store::invariant::Scope;

use crate::support::{Shelf, ask, bench, redis, say, valkey};

/// A stream whose consumers are behind in every way.
async fn fill(scope: &Scope) {
    for number in 1..=1_300 {
        ask::<String>(
            scope,
            &[b"XADD", b"s", format!("{number}-1").as_bytes(), b"f", b"\0\xff\r\n", b"f", b"again"],
        )
        .await;
    }
    say::<()>(scope, "XGROUP CREATE s workers 0").await;
    say::<()>(scope, "XGROUP CREATE s readers 7-0").await;
    say::<()>(scope, "XGROUP CREATE s nobody $").await;
    say::<u64>(scope, "XGROUP CREATECONSUMER s workers idle").await;
    say::<Value>(scope, "XREADGROUP GROUP workers one COUNT 700 STREAMS s >").await;
    say::<Value>(scope, "XREADGROUP GROUP workers two COUNT 20 STREAMS s >").await;
    say::<u64>(scope, "XACK s workers 2-1 3-1 702-1").await;
    // Delivered again, once long ago.
    say::<Value>(scope, "XCLAIM s workers two 0 5-1 TIME 1700000000000 RETRYCOUNT 9 JUSTID").await;
    // Pending and deleted: in the middle, and trimmed away at the head.
    say::<u64>(scope, "XDEL s 100-1 705-1 1290-1 1300-1").await;
    say::<u64>(scope, "XTRIM s MINID = 51-0").await;
}

/// Everything that can be asked, with times as times.
async fn facts(scope: &Scope, key: &str) -> BTreeMap<String, Value> {
    let mut facts = BTreeMap::new();
    facts.insert("entries".to_owned(), say(scope, &format!("XRANGE {key} - +")).await);
    let info: BTreeMap<String, Value> = say(scope, &format!("XINFO STREAM {key}")).await;
    for name in [
        "length",
        "last-generated-id",
        "entries-added",
        "max-deleted-entry-id",
        "groups",
        "recorded-first-entry-id",
    ] {
        facts.insert(name.to_owned(), info[name].clone());
    }
    let full: BTreeMap<String, Value> = say(scope, &format!("XINFO STREAM {key} FULL COUNT 0")).await;
    facts.insert("full".to_owned(), without_sightings(full["groups"].clone()));
    facts
}

/// Nothing sets when a consumer was seen or active, and old servers do not tell.
fn without_sightings(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(without_sightings).collect()),
        Value::Map(pairs) => {
            let sighting = |name: &Value| matches!(name, Value::BulkString(name) if name == b"seen-time" || name == b"active-time");
            let kept = pairs.into_iter().filter(|(name, _)| !sighting(name));
            Value::Map(kept.map(|(name, value)| (name, without_sightings(value))).collect())
        }
        // A delivery time; they are compared apart, since they are read back as an age that goes on growing.
        Value::Int(time) if time > 1_000_000_000_000 => Value::Int(0),
        other => other,
    }
}

async fn survives(from: &Binary, to: &Binary) {
    let (source, target, shelf) = (bench(from).await, bench(to).await, Shelf::new());
    fill(&source.scope).await;
    shelf.backup(&source.scope).await.unwrap();
    shelf.restore(&target.scope).await.unwrap();
    let (before, after) = (facts(&source.scope, "s").await, facts(&target.scope, "s").await);
    for (name, fact) in before {
        assert_eq!(after[&name], fact, "{name}");
    }
    let (before, after) = (deliveries(&source.scope).await, deliveries(&target.scope).await);
    assert_eq!((before.len(), after.len()), (717, 717));
    assert!(
        before.iter().zip(&after).all(|(before, after)| before.abs_diff(*after) < 50),
        "{before:?} {after:?}"
    );
    assert!(after[2].abs_diff(1_700_000_000_000) < 50, "{}", after[2]);
}

/// When each pending entry was delivered last.
async fn deliveries(scope: &Scope) -> Vec<u64> {
    let full: BTreeMap<String, Value> = say(scope, "XINFO STREAM s FULL COUNT 0").await;
    let groups: Vec<BTreeMap<String, Value>> = redis::from_redis_value(full["groups"].clone()).unwrap();
    let workers = &groups[groups.len() - 1];
    let pending: Vec<(String, String, u64, u64)> =
        redis::from_redis_value(workers["pending"].clone()).unwrap();
    pending.iter().map(|one| one.2).collect()
}

#[tokio::test]
async fn from_valkey_to_redis_7_0() {
    survives(&valkey(), &redis()).await;
}

#[tokio::test]
async fn from_redis_7_0_to_valkey() {
    survives(&redis(), &valkey()).await;
}

/// Streams without entries differ in what they remember, and each memory decides what a group gets next.
#[tokio::test]
async fn empty_streams_remember_where_they_were() {
    let (source, target, shelf) = (bench(&valkey()).await, bench(&redis()).await, Shelf::new());
    say::<()>(&source.scope, "XGROUP CREATE new g $ MKSTREAM").await;
    for key in ["trimmed", "deleted"] {
        for id in ["5-5", "6-6"] {
            say::<String>(&source.scope, &format!("XADD {key} {id} a b")).await;
        }
        say::<()>(&source.scope, &format!("XGROUP CREATE {key} g 0")).await;
        say::<Value>(&source.scope, &format!("XREADGROUP GROUP g c STREAMS {key} >")).await;
    }
    say::<u64>(&source.scope, "XTRIM trimmed MAXLEN = 0").await;
    say::<u64>(&source.scope, "XDEL deleted 5-5 6-6").await;
    shelf.backup(&source.scope).await.unwrap();
    shelf.restore(&target.scope).await.unwrap();
    for key in ["new", "trimmed", "deleted"] {
        assert_eq!(facts(&target.scope, key).await, facts(&source.scope, key).await, "{key}");
    }
    let pending: Vec<Value> = say(&target.scope, "XPENDING trimmed g - + 10").await;
    assert_eq!(pending.len(), 2);
}
