//! Every type with hostile bytes, between servers of different age, comes back as it was.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use quorate_engine::{Binary, Engine};
use quorate_store::deployment;
use quorate_store::invariant::Scope;

use crate::support::{Shelf, ask, bench, fsck, keys, redis, say, scope, valkey};

const HOSTILE: &[u8] = b"\0\r\n$-1\r\n\xff\xfe{}\x1b[2J\"'\\ \xc3\x28";
const SCORES: [&str; 9] = [
    "0.1",
    "1e-320",
    "5e-324",
    "1.7976931348623157e308",
    "-inf",
    "inf",
    "9007199254740993",
    "3.141592653589793",
    "-2.5",
];

/// Every type but streams, small and large, with and without expiry.
async fn fill(scope: &Scope) {
    deployment::claim(&scope.store, &scope.keys).await.unwrap();
    for key in [HOSTILE, b"", b"text", b"123"] {
        ask::<()>(scope, &[b"SET", key, HOSTILE]).await;
    }
    ask::<()>(scope, &[b"SET", b"empty", b""]).await;
    ask::<()>(scope, &[b"SET", b"number", b"-9223372036854775808"]).await;
    ask::<()>(scope, &[b"SET", b"large", &vec![7; 3_000_000]]).await;
    ask::<()>(scope, &[b"SET", b"expiring", b"v", b"PXAT", b"4102444800123"]).await;
    for number in 0..1_200 {
        let text = format!("{number:05}");
        ask::<u64>(scope, &[b"RPUSH", b"list", text.as_bytes(), HOSTILE]).await;
        ask::<u64>(scope, &[b"SADD", b"set", text.as_bytes()]).await;
        ask::<u64>(scope, &[b"HSET", b"hash", text.as_bytes(), HOSTILE]).await;
        ask::<u64>(scope, &[b"ZADD", b"zset", text.as_bytes(), text.as_bytes()]).await;
    }
    ask::<u64>(scope, &[b"SADD", b"small", HOSTILE, b"", b"7"]).await;
    ask::<u64>(scope, &[b"HSET", b"fields", HOSTILE, b"", b"", HOSTILE]).await;
    for score in SCORES {
        ask::<u64>(scope, &[b"ZADD", b"scores", score.as_bytes(), score.as_bytes()]).await;
    }
    say::<()>(scope, "PFADD visitors a b c").await;
    say::<u64>(scope, "PEXPIREAT hash 4102444800456").await;
}

async fn survives(from: &Binary, to: &Binary) {
    let (source, target, shelf) = (bench(from).await, bench(to).await, Shelf::new());
    fill(&source.scope).await;
    let taken = shelf.backup(&source.scope).await.unwrap();
    assert_eq!(taken.manifest.keys(), keys(&source.scope).await);
    let mode = std::fs::metadata(shelf.file()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let restored = shelf.restore(&target.scope).await.unwrap();
    assert_eq!((restored.keys, keys(&target.scope).await), (taken.manifest.keys(), taken.manifest.keys()));
    expect(&source.scope, &target.scope).await;
    assert_eq!(fsck(&target.scope).await, [""; 0]);
}

/// Told by plain commands, not by the digest that the code itself uses.
async fn expect(source: &Scope, target: &Scope) {
    for key in [HOSTILE, b"", b"text", b"123"] {
        assert_eq!(ask::<Vec<u8>>(target, &[b"GET", key]).await, HOSTILE);
    }
    assert_eq!(say::<Vec<u8>>(target, "GET large").await, vec![7; 3_000_000]);
    assert_eq!(say::<Option<String>>(target, "GET empty").await.as_deref(), Some(""));
    assert_eq!(say::<i64>(target, "PEXPIRETIME expiring").await, 4_102_444_800_123);
    assert_eq!(say::<i64>(target, "PEXPIRETIME hash").await, 4_102_444_800_456);
    assert_eq!(say::<i64>(target, "PEXPIRETIME list").await, -1);
    for score in SCORES {
        let kept: f64 = ask(target, &[b"ZSCORE", b"scores", score.as_bytes()]).await;
        assert_eq!(kept.to_bits(), score.parse::<f64>().unwrap().to_bits(), "{score}");
    }
    for line in ["LRANGE list 0 -1", "ZRANGE zset 0 -1 WITHSCORES", "HGET fields "] {
        assert_eq!(say::<quorate_store::Value>(target, line).await, say(source, line).await, "{line}");
    }
    for line in ["HGETALL hash", "HGETALL fields"] {
        let fields = say::<BTreeMap<Vec<u8>, Vec<u8>>>(target, line).await;
        assert_eq!(fields, say(source, line).await, "{line}");
    }
    for line in ["SMEMBERS set", "SMEMBERS small"] {
        let sorted = |mut all: Vec<Vec<u8>>| {
            all.sort();
            all
        };
        assert_eq!(sorted(say(target, line).await), sorted(say(source, line).await), "{line}");
    }
    assert_eq!(say::<u64>(target, "PFCOUNT visitors").await, 3);
    assert_eq!(say::<Vec<(String, String)>>(target, "HGETALL ~q:quorate:meta").await.len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_valkey_to_redis_7_0() {
    survives(&valkey(), &redis()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_redis_7_0_to_valkey() {
    survives(&redis(), &valkey()).await;
}

#[tokio::test]
async fn from_the_embedded_engine_over_its_socket_and_back_into_it() {
    let (folder, shelf) = (tempfile::tempdir().unwrap(), Shelf::new());
    let engine = Engine::start(quorate_engine::Options::new(folder.path())).unwrap();
    let scope = scope(&engine.url().reveal(), Default::default()).await;
    deployment::claim(&scope.store, &scope.keys).await.unwrap();
    say::<()>(&scope, "SET a 1").await;
    shelf.backup(&scope).await.unwrap();
    say::<()>(&scope, "SET a 2").await;
    say::<()>(&scope, "SET b 2").await;
    shelf.replace(&scope).await.unwrap();
    assert_eq!((say::<u64>(&scope, "GET a").await, keys(&scope).await), (1, 2));
    assert_eq!(fsck(&scope).await, [""; 0]);
}

#[tokio::test]
async fn only_the_database_that_the_url_names_is_copied() {
    let (source, shelf) = (bench(&valkey()).await, Shelf::new());
    let second = scope(&format!("{}2", source.node.url().reveal()), Default::default()).await;
    say::<()>(&source.scope, "SET first 1").await;
    say::<()>(&second, "SET second 2").await;
    let taken = shelf.backup(&second).await.unwrap();
    assert_eq!((taken.manifest.db, taken.manifest.keys(), taken.manifest.other_keys), (2, 1, 1));
    let target = bench(&valkey()).await;
    shelf.restore(&target.scope).await.unwrap();
    assert_eq!((keys(&target.scope).await, say::<u64>(&target.scope, "GET second").await), (1, 2));
}

#[tokio::test]
async fn fields_keep_their_own_expiry_or_the_restore_is_refused() {
    let (source, target, shelf) = (bench(&valkey()).await, bench(&valkey()).await, Shelf::new());
    say::<u64>(&source.scope, "HSET hash stays 1 goes 2").await;
    say::<Vec<i64>>(&source.scope, "HPEXPIREAT hash 4102444800789 FIELDS 1 goes").await;
    shelf.backup(&source.scope).await.unwrap();
    shelf.restore(&target.scope).await.unwrap();
    let expiries: Vec<i64> = say(&target.scope, "HPEXPIRETIME hash FIELDS 2 stays goes").await;
    assert_eq!(expiries, [-1, 4_102_444_800_789]);
    let old = bench(&redis()).await;
    let refusal = shelf.restore(&old.scope).await.unwrap_err();
    assert!(refusal.to_string().contains("1 hash fields"), "{refusal}");
    assert_eq!(keys(&old.scope).await, 0);
}

/// Keys whose time comes on the way are no mismatch, and never come back without their expiry.
#[tokio::test]
async fn keys_that_expire_on_the_way_are_gone_and_nothing_is_wrong() {
    let (source, target, shelf) = (bench(&valkey()).await, bench(&valkey()).await, Shelf::new());
    for number in 0..200 {
        let life = (number * 7).max(1).to_string();
        ask::<()>(&source.scope, &[b"SET", format!("k{number}").as_bytes(), b"v", b"PX", life.as_bytes()])
            .await;
    }
    say::<()>(&source.scope, "SET stays 1").await;
    shelf.backup(&source.scope).await.unwrap();
    shelf.restore(&target.scope).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
    assert_eq!(say::<Vec<String>>(&target.scope, "KEYS *").await, ["stays"]);
}
