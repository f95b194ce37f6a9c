//! Scripts that do nothing but the writes of a queue, to the same kinds of keys, straight through the client crate.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quorate_testkit::Bench;
use redis::aio::MultiplexedConnection;
use redis::{Script, ScriptInvocation};

use super::measure::percentile;
use super::steps::inside;
use super::{JOBS, TASKS};

/// The seed's list, claims, agenda, the queue's counters, the calls of a process; and what each agent holds.
const KEYS: [&str; 5] = ["bare:list", "bare:claims", "bare:agenda", "bare:state", "bare:calls"];
const PUSH: &str =
    "redis.call('HSET', KEYS[5], ARGV[1], '17 20000') return redis.call('LPUSH', KEYS[1], unpack(ARGV, 2))";
/// The values have the form and the length that they have in a queue: a record, a mark, a mark with the queue's name.
const CLAIM: &str = "local items = redis.call('RPOP', KEYS[1], ARGV[1]) or {} if #items == 0 then return items end \
    local last, tail = redis.call('HINCRBY', KEYS[4], 'f', #items) - #items + 1763251234567890, '.' .. ARGV[2] \
    local kept, marks, by, got = {}, {}, {}, {} for i = 1, #items do \
    local fence, claim, item = string.format('%.0f', last + i), ARGV[3] .. '.' .. i, items[i] local mark = fence .. '.' .. claim .. tail \
    kept[2 * i - 1], kept[2 * i] = claim, '10000 ' .. ARGV[2] .. ' 1 - - - - ' .. fence .. ' ' .. item \
    marks[2 * i - 1], marks[2 * i] = '1763251234567', mark by[2 * i - 1], by[2 * i] = '1763251234567', 'normal ' .. mark \
    got[i] = mark .. ' ' .. item end redis.call('HSET', KEYS[2], unpack(kept)) \
    redis.call('ZADD', KEYS[3], unpack(marks)) redis.call('ZADD', KEYS[6], unpack(by)) return got";
const ACK: &str = "local names, by = {}, {} for i = 4, #ARGV do \
    names[i - 3], by[i - 3] = ARGV[i]:sub(18, -#ARGV[2] - 2), 'normal ' .. ARGV[i] end \
    redis.call('ZREM', KEYS[3], unpack(ARGV, 4)) redis.call('HDEL', KEYS[2], unpack(names)) \
    redis.call('ZREM', KEYS[6], unpack(by)) redis.call('HSET', KEYS[5], ARGV[2], '17 -')";

/// Who calls, and with which id.
struct Caller {
    agent: String,
    held: String,
    salt: String,
}

impl Caller {
    fn new(task: usize) -> Self {
        Self { agent: format!("agent-{task}"), held: format!("bare:held:{task}"), salt: String::new() }
    }

    /// Each call has an id of its own.
    fn next(&mut self, number: usize) {
        self.salt = format!("0f3c5a7e9b1d2f4a-{}-{number}", self.agent);
    }

    fn call<'s>(&self, script: &'s Script) -> ScriptInvocation<'s> {
        let mut call = script.prepare_invoke();
        for key in KEYS.iter().copied().chain([self.held.as_str()]) {
            call.key(key);
        }
        call
    }

    async fn push(&self, push: &Script, from: usize, count: usize, connection: &mut MultiplexedConnection) {
        let mut call = self.call(push);
        call.arg(&self.agent);
        for n in from..from + count {
            call.arg(format!(
                "{{\"at\":1763251234567,\"id\":\"0f3c5a7e9b1d2f4a-{n}\",\"payload\":\"{{\\\"n\\\":{n}}}\"}}"
            ));
        }
        call.invoke_async::<i64>(connection).await.expect("pushes");
    }

    /// Acknowledges items, claims so many, or both, as the script says.
    async fn run(
        &self,
        script: &Script,
        most: usize,
        done: &[String],
        on: &mut MultiplexedConnection,
    ) -> Vec<String> {
        let mut call = self.call(script);
        call.arg(most).arg(&self.agent).arg(&self.salt);
        for item in done {
            call.arg(item.split(' ').next().unwrap_or_default());
        }
        call.invoke_async(on).await.expect("the script runs")
    }
}

/// Fifty tasks; each pushes a batch, claims one and acknowledges it, with a call for each.
pub(crate) async fn cycle(bench: &Bench, batch: usize) -> f64 {
    let connection = connect(bench).await;
    let [push, claim, ack] = [PUSH, CLAIM, ACK].map(Script::new);
    let started = Instant::now();
    let one = async |task: usize| {
        let (mut connection, mut count, mut caller) = (connection.clone(), 0, Caller::new(task));
        for n in 0..JOBS / TASKS / batch {
            caller.next(n);
            caller.push(&push, task * JOBS + n * batch, batch, &mut connection).await;
            let items = caller.run(&claim, batch, &[], &mut connection).await;
            count += items.len();
            caller.run(&ack, 0, &items, &mut connection).await;
        }
        count
    };
    let done: usize = join_all((0..TASKS).map(one)).await.into_iter().sum();
    assert_eq!(done, JOBS / TASKS / batch * batch * TASKS, "exact delivery");
    done as f64 / started.elapsed().as_secs_f64()
}

/// Pushes all in bulk, then acknowledges a batch in the call that claims the next, one call after the other.
pub(crate) async fn advance(bench: &Bench, batch: usize) -> f64 {
    let (mut connection, mut caller) = (connect(bench).await, Caller::new(0));
    let [push, claim] = [PUSH, CLAIM].map(Script::new);
    let both = Script::new(&format!("{ACK} {CLAIM}"));
    let started = Instant::now();
    for from in (0..JOBS).step_by(500) {
        caller.push(&push, from, 500, &mut connection).await;
    }
    caller.next(0);
    let mut items = caller.run(&claim, batch, &[], &mut connection).await;
    let mut count = 0;
    while !items.is_empty() {
        count += items.len();
        caller.next(count);
        items = caller.run(&both, batch, &items, &mut connection).await;
    }
    assert_eq!(count, JOBS, "exact delivery");
    JOBS as f64 / started.elapsed().as_secs_f64()
}

/// Microseconds inside the server of a push, a claim and an acknowledgement of one item.
pub(crate) async fn steps(bench: &Bench, each: usize) -> [f64; 3] {
    let connection = connect(bench).await;
    let [push, claim, ack] = [PUSH, CLAIM, ACK].map(Script::new);
    inside(bench).await;
    let pushing = async |task: usize| {
        for n in 0..each {
            Caller::new(task).push(&push, n, 1, &mut connection.clone()).await;
        }
    };
    join_all((0..TASKS).map(pushing)).await;
    let pushes = inside(bench).await;
    let claiming = async |task: usize| {
        let (mut caller, mut items) = (Caller::new(task), Vec::new());
        for n in 0..each {
            caller.next(n);
            items.extend(caller.run(&claim, 1, &[], &mut connection.clone()).await);
        }
        items
    };
    let items = join_all((0..TASKS).map(claiming)).await;
    let claims = inside(bench).await;
    let ending = async |task: usize| {
        for item in &items[task] {
            Caller::new(task).run(&ack, 0, std::slice::from_ref(item), &mut connection.clone()).await;
        }
    };
    join_all((0..TASKS).map(ending)).await;
    [pushes, claims, inside(bench).await]
}

async fn connect(bench: &Bench) -> MultiplexedConnection {
    let client = redis::Client::open(bench.node.url().reveal().as_str()).expect("a URL");
    client.get_multiplexed_async_connection().await.expect("connects")
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
