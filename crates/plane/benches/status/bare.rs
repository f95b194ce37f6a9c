//! One script that does nothing but the writes of a status event, to the same kinds of keys, straight through the client crate.

use std::time::Instant;

use futures_util::future::join_all;
use quorate_testkit::Bench;
use redis::Script;

use super::{AT_ONCE, EVENTS, OF_A_TASK, event};

/// History, record, list of tasks, feed and its number, two markers, the channel; expiries and the list of tasks for the first
/// event of a task alone, as the plane renews them once a second. The values have the form and the length that they have there.
const WRITES: &str = "local number = redis.call('HINCRBY', KEYS[5], 'seq', 1) \
    local whole = ARGV[1] .. ',\"timestamp\":\"2026-11-16T16:00:00.000000Z\",\"seq\":' .. ARGV[4] .. '}' \
    if redis.call('LPUSH', KEYS[1], whole) > 50 then redis.call('LTRIM', KEYS[1], 0, 49) end \
    redis.call('HSET', KEYS[2], 'seq', ARGV[4], 'attempt', '0', 'ended', '0', 'at', '1794768310000123', 'status', 'running') \
    if ARGV[4] == '1' then redis.call('EXPIRE', KEYS[1], 86400) redis.call('EXPIRE', KEYS[2], 86400) redis.call('EXPIRE', KEYS[4], 86400) \
    redis.call('ZADD', KEYS[3], '1794768310000', ARGV[2]) redis.call('HSET', KEYS[2], 'listed', '1794768310000') end \
    if redis.call('LPUSH', KEYS[4], '{\"cursor\":' .. ARGV[3] .. ARGV[5] .. ',\"payload\":' .. whole .. ',\"seq\":' .. number .. '}') > 5000 \
    then redis.call('LTRIM', KEYS[4], 0, 4999) end \
    redis.call('SET', KEYS[6], '#' .. number, 'EX', 86400) redis.call('PUBLISH', KEYS[8], whole) \
    redis.call('SET', KEYS[7], '#' .. ARGV[4], 'EX', 86400) return 'accepted ' .. ARGV[4]";

/// Events a second.
pub(crate) async fn run(bench: &Bench, round: usize) -> f64 {
    bench.cli("FLUSHALL").await;
    let client = redis::Client::open(bench.node.url().reveal()).expect("a client");
    let connection = client.get_multiplexed_async_connection().await.expect("connects");
    let script = Script::new(WRITES);
    let begin = Instant::now();
    let sender = async |place: usize| {
        let mut connection = connection.clone();
        for number in (place * OF_A_TASK..EVENTS).step_by(AT_ONCE * OF_A_TASK) {
            for number in number..number + OF_A_TASK {
                send(&script, round, number, &mut connection).await;
            }
        }
    };
    join_all((0..AT_ONCE).map(sender)).await;
    EVENTS as f64 / begin.elapsed().as_secs_f64()
}

async fn send(
    script: &Script,
    round: usize,
    number: usize,
    connection: &mut redis::aio::MultiplexedConnection,
) {
    let (task, document) = event(round, number);
    let name = format!("evt-{round}-{number}");
    let mut call = script.prepare_invoke();
    call.key(format!("bare:history:{task}"))
        .key(format!("bare:record:{task}"))
        .key("bare:recent")
        .key("bare:feed");
    call.key("bare:state").key(format!("bare:offered:{name}")).key(format!("bare:event:{task}:{name}"));
    call.key(format!("bare:channel:{task}"));
    let about = format!(
        ",\"task_id\":\"{task}\",\"event_type\":\"status.running\",\"source_kind\":\"status\",\"component\":\"status\",\"event_id\":\"{name}\",\"correlation_id\":\"order-{round}\",\"parent_task_id\":null"
    );
    let open = format!("{},\"task_id\":\"{task}\"", &document[..document.len() - 1]);
    call.arg(open).arg(&task).arg(format!("\"{name}\"")).arg(number % OF_A_TASK + 1).arg(about);
    call.invoke_async::<String>(connection).await.expect("writes");
}
