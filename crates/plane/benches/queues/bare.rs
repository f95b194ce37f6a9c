//! Scripts that do nothing but the writes of a queue, to the same kinds of keys, straight through the client crate.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quorate_testkit::Bench;
use redis::aio::MultiplexedConnection;
use redis::{Script, ScriptInvocation};

use super::measure::percentile;
use super::steps::inside;
use super::{JOBS, TASKS};

/// The seed's list, claims, agenda, what an agent holds, the queue's counters, the calls of a process.
const KEYS: [&str; 6] = ["bare:list", "bare:claims", "bare:agenda", "bare:held", "bare:state", "bare:calls"];
const PUSH: &str =
    "redis.call('HSET', KEYS[6], '1', ARGV[1]) return redis.call('LPUSH', KEYS[1], unpack(ARGV, 2))";
const CLAIM: &str = "local items = redis.call('RPOP', KEYS[1], ARGV[1]) or {} if #items == 0 then return items end \
    local last = redis.call('HINCRBY', KEYS[5], 'f', #items) - #items local kept, ends = {}, {} \
    for i = 1, #items do local id = string.format('%.0f', last + i) .. ARGV[2] \
    kept[2 * i - 1], kept[2 * i] = id, items[i] ends[2 * i - 1], ends[2 * i] = ARGV[3], id items[i] = id .. ' ' .. items[i] end \
    redis.call('HSET', KEYS[2], unpack(kept)) redis.call('ZADD', KEYS[3], unpack(ends)) redis.call('ZADD', KEYS[4], unpack(ends)) \
    return items";
const ACK: &str = "redis.call('HDEL', KEYS[2], unpack(ARGV, 4)) redis.call('ZREM', KEYS[3], unpack(ARGV, 4)) \
    redis.call('ZREM', KEYS[4], unpack(ARGV, 4)) redis.call('HSET', KEYS[6], '2', ARGV[1])";

/// Fifty tasks; each pushes a batch, claims one and acknowledges it, with a call for each.
pub(crate) async fn cycle(bench: &Bench, batch: usize) -> f64 {
    let connection = connect(bench).await;
    let [push, claim, ack] = [PUSH, CLAIM, ACK].map(Script::new);
    let started = Instant::now();
    let one = async |task: usize| {
        let (mut connection, mut count) = (connection.clone(), 0);
        for n in 0..JOBS / TASKS / batch {
            pushed(&push, task * JOBS + n * batch, batch, &mut connection).await;
            let items = claimed(call(&claim), batch, &mut connection).await;
            count += items.len();
            acknowledged(call(&ack), &items).invoke_async::<()>(&mut connection).await.expect("acks");
        }
        count
    };
    let done: usize = join_all((0..TASKS).map(one)).await.into_iter().sum();
    assert_eq!(done, JOBS / TASKS / batch * batch * TASKS, "exact delivery");
    done as f64 / started.elapsed().as_secs_f64()
}

/// Pushes all in bulk, then acknowledges a batch in the call that claims the next, one call after the other.
pub(crate) async fn advance(bench: &Bench, batch: usize) -> f64 {
    let mut connection = connect(bench).await;
    let [push, claim] = [PUSH, CLAIM].map(Script::new);
    let both = Script::new(&format!("if ARGV[4] then {ACK} end {CLAIM}"));
    let started = Instant::now();
    for from in (0..JOBS).step_by(500) {
        pushed(&push, from, 500, &mut connection).await;
    }
    let mut items = claimed(call(&claim), batch, &mut connection).await;
    let mut count = 0;
    while !items.is_empty() {
        count += items.len();
        let next = acknowledged(call(&both), &items);
        items = next.invoke_async::<Vec<String>>(&mut connection).await.expect("goes on");
    }
    assert_eq!(count, JOBS, "exact delivery");
    JOBS as f64 / started.elapsed().as_secs_f64()
}

/// Microseconds inside the server of a push, a claim and an acknowledgement of one item.
pub(crate) async fn steps(bench: &Bench, count: usize) -> [f64; 3] {
    let mut connection = connect(bench).await;
    let [push, claim, ack] = [PUSH, CLAIM, ACK].map(Script::new);
    for n in 0..count {
        pushed(&push, n, 1, &mut connection).await;
    }
    let pushes = inside(bench).await;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.extend(claimed(call(&claim), 1, &mut connection).await);
    }
    let claims = inside(bench).await;
    for item in &items {
        let ack = acknowledged(call(&ack), std::slice::from_ref(item));
        ack.invoke_async::<()>(&mut connection).await.expect("acks");
    }
    [pushes, claims, inside(bench).await]
}

async fn connect(bench: &Bench) -> MultiplexedConnection {
    let client = redis::Client::open(bench.node.url().reveal().as_str()).expect("a URL");
    client.get_multiplexed_async_connection().await.expect("connects")
}

fn call(script: &Script) -> ScriptInvocation<'_> {
    let mut call = script.prepare_invoke();
    KEYS.iter().for_each(|key| {
        call.key(*key);
    });
    call
}

async fn pushed(push: &Script, from: usize, count: usize, connection: &mut MultiplexedConnection) {
    let mut call = call(push);
    call.arg("17 20000");
    for n in from..from + count {
        call.arg(format!(
            "{{\"at\":1763251234567,\"id\":\"0f3c5a7e9b1d2f4a-{n}\",\"payload\":\"{{\\\"n\\\":{n}}}\"}}"
        ));
    }
    call.invoke_async::<i64>(connection).await.expect("pushes");
}

async fn claimed(
    mut call: ScriptInvocation<'_>,
    batch: usize,
    connection: &mut MultiplexedConnection,
) -> Vec<String> {
    call.arg(batch).arg(".0f3c5a7e9b1d2f4a-a1.agent-1").arg("1763251234567");
    call.invoke_async(connection).await.expect("claims")
}

fn acknowledged<'s>(mut call: ScriptInvocation<'s>, items: &[String]) -> ScriptInvocation<'s> {
    call.arg(items.len()).arg(".0f3c5a7e9b1d2f4a-a1.agent-1").arg("1763251234567");
    items.iter().for_each(|item| {
        call.arg(item.split(' ').next().unwrap_or_default());
    });
    call
}

/// From before an `LPUSH` to the return of a `BLPOP` that waits, in milliseconds: the 99th of a hundred.
pub(crate) async fn blocking_read(bench: &Bench) -> f64 {
    let (mut writes, mut reads) = (connect(bench).await, connect(bench).await);
    let mut waits = Vec::new();
    for _ in 0..1_000 {
        let reading = async {
            let mut read = redis::cmd("BLPOP");
            read.arg("bare:wait").arg(5).query_async::<Vec<String>>(&mut reads).await.expect("reads");
            Instant::now()
        };
        let writing = async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let from = Instant::now();
            redis::cmd("LPUSH")
                .arg("bare:wait")
                .arg("x")
                .query_async::<i64>(&mut writes)
                .await
                .expect("writes");
            from
        };
        let (at, from) = tokio::join!(reading, writing);
        waits.push((at - from).as_secs_f64() * 1e3);
    }
    percentile(&waits, 0.99).unwrap_or(f64::NAN)
}
