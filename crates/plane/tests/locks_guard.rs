//! What a guarded write says it has done.

use crate::support::{agent, lock, plane, refused, request, take};
use quorate_plane::invariants;
use quorate_plane::locks::GUARDED;
use quorate_testkit::check;

/// A write, and what the store answers it: a `-` before it for a write that does nothing, and nothing for nil.
const WRITES: &[(&str, &str)] = &[
    ("SET s 1 NX", "OK"),
    ("SET s 2 NX", "-"),
    ("SET s 1 nx get", "-1"),
    ("SET s 2 XX GET", "1"),
    ("SET s 2", "OK"),
    ("SET nx get", "OK"),
    ("SET none 1 XX", "-"),
    ("SET none 1 XX GET", "-"),
    ("SET new 1 NX GET", ""),
    ("SET s 3 GET", "2"),
    ("APPEND s x", "2"),
    ("SETRANGE s 0 y", "2"),
    ("INCR n", "1"),
    ("INCRBY n 5", "6"),
    ("DECR n", "5"),
    ("DECRBY n 5", "0"),
    ("INCRBYFLOAT n 0.5", "0.5"),
    ("EXPIRE n 60", "1"),
    ("EXPIRE none 60", "-0"),
    ("PEXPIRE none 60", "-0"),
    ("DEL n", "1"),
    ("DEL n", "-0"),
    ("HSET h f 1", "1"),
    ("HSET h f 2", "0"),
    ("HSETNX h f 3", "-0"),
    ("HSETNX h g 3", "1"),
    ("HINCRBY h f 1", "3"),
    ("HDEL h none", "-0"),
    ("SADD m a", "1"),
    ("SADD m a", "-0"),
    ("SREM m b", "-0"),
    ("LPUSH l a", "1"),
    ("RPUSH l a", "2"),
    ("ZADD z 1 a 1 b", "2"),
    ("ZADD z NX 2 a", "-0"),
    ("ZADD z XX 2 c", "-0"),
    ("ZADD z GT 2 a", "0"),
    ("ZADD z LT 3 a 3 b", "-0"),
    ("ZADD z XX CH 7 b", "1"),
    ("ZADD z XX INCR 1 c", "-"),
    ("ZADD z 2 a", "-0"),
    ("ZINCRBY z 1 a", "3"),
    ("ZREM z none", "-0"),
    ("XADD x NOMKSTREAM * f v", "-"),
    ("XADD x 5-1 f v", "5-1"),
];

#[tokio::test]
async fn a_guarded_write_says_what_the_store_answered_and_whether_it_did_anything() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let fence = take(&plane, "a", "name:n").await.fence;
        for (line, said) in WRITES {
            let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            words[1] = format!("guarded:{}", words[1]);
            let done = plane.locks().guard(&lock("name:n"), fence, &words).await.unwrap().unwrap();
            let (changed, reply) = said.strip_prefix('-').map_or((true, *said), |reply| (false, reply));
            assert_eq!((done.changed, done.reply.as_deref().unwrap_or_default()), (changed, reply), "{line}");
            assert_eq!(done.reply.is_none(), reply.is_empty(), "{line}");
        }
        for command in GUARDED {
            assert!(WRITES.iter().any(|(line, _)| line.starts_with(command)), "{command}");
        }
        for key in ["s", "nx", "new", "h", "m", "l", "z", "x"] {
            bench.cli(&format!("DEL guarded:{key}")).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_key_of_another_type_where_a_lock_should_be_is_a_refusal() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let ns = bench.scope.keys.namespace_text();
        for (on, key) in
            [("name:n", "locks:n"), ("project:p", "locks:project:p"), ("task:t", "ade:lock:task:t")]
        {
            bench.cli(&format!("LPUSH {ns}{key} x")).await;
            let told = plane.locks().acquire(&request("a", on)).await.unwrap();
            assert_eq!(refused(told).code, "wrong_type", "{on}");
            let told = plane.locks().steal(&lock(on), &agent("a"), None, "x").await.unwrap();
            assert_eq!(refused(told).code, "wrong_type", "{on}");
            bench.cli(&format!("DEL {ns}{key}")).await;
        }
        // What an agent's attempts are counted in may have been spoiled too.
        let rate = format!("{ns}ade:ratelimit:lock:acquire:a");
        for spoiled in [format!("SET {rate} many"), format!("LPUSH {rate} x")] {
            bench.cli(&format!("DEL {rate}")).await;
            bench.cli(&spoiled).await;
            let told = plane.locks().acquire(&request("a", "name:n")).await.unwrap();
            assert_eq!(refused(told).code, "wrong_type", "{spoiled}");
        }
        bench.cli(&format!("DEL {rate}")).await;
    })
    .await;
}
