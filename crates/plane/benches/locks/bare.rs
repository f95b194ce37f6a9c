//! The plain pair, and scripts that do nothing but the writes of a lock, with the same values, through the same client.

use std::sync::LazyLock;

use quorate_store::{Arg, Script, Store, cmd};

/// `SET NX PX` and compare-and-delete: a lock without fence, queue, lease or index.
pub(crate) async fn plain_pair(store: &Store, task: usize) {
    let key = format!("plain:{task}");
    let mut set = cmd("SET");
    set.arg(&key).arg("owner").arg("NX").arg("PX").arg(30_000);
    store.query::<()>(&set).await.expect("sets");
    store.run::<i64>(&COMPARE_AND_DELETE, &[key], &[Arg::from("owner")]).await.expect("deletes");
}

/// The writes of a named lock: a counter, the seed's key, the record, the agent's list; and the release of it.
pub(crate) async fn named_pair(store: &Store, task: usize) {
    let keys: Vec<String> = ["rate", "seed", "kept", "held"].map(|part| format!("bare:{part}:{task}")).into();
    store.run::<i64>(&NAMED, &keys, &values(task)).await.expect("takes");
    store.run::<i64>(&UNNAMED, &keys[1..2], &[]).await.expect("releases");
}

/// The writes of a task lock: besides, ade's hash, index, registry, channel and event.
pub(crate) async fn task_pair(store: &Store, task: usize) {
    let parts = ["rate", "seed", "kept", "held", "index", "registry", "events"];
    let keys: Vec<String> = parts.map(|part| format!("bare:t:{part}:{task}")).into();
    store.run::<i64>(&TASK, &keys, &values(task)).await.expect("takes");
    let keys = [&keys[1], &keys[3], &keys[4], &keys[5], &keys[6]];
    let keys: Vec<&str> = keys.iter().map(|key| key.as_str()).collect();
    store.run::<i64>(&UNTASK, &keys, &values(task)).await.expect("releases");
}

fn values(task: usize) -> [Arg<'static>; 5] {
    let record = format!(
        "h 1794000000000000 locks:lock-{task} 1794000000000 agent-{task} x 1794000000000000 1794000000000000 0123456789abcdef0123456789abcdef 30000 0 0 0 1794000000000000,agent-{task} "
    );
    let payload = format!(
        "{{\"lock\":\"task:lock-{task}\",\"agent_id\":\"agent-{task}\",\"fence\":\"1794000000000000\"}}"
    );
    [
        Arg::from(format!("agent-{task}")),
        Arg::from(record),
        Arg::from("1794000000000"),
        Arg::from(format!("name:lock-{task} x")),
        Arg::from(payload),
    ]
}

static COMPARE_AND_DELETE: LazyLock<Script> = LazyLock::new(|| {
    let body = "if redis.call('GET', k1) == a1 then return redis.call('DEL', k1) end return 0";
    bare("compare", 1, 1, body)
});

static NAMED: LazyLock<Script> = LazyLock::new(|| bare("named", 4, 5, TAKE));

static UNNAMED: LazyLock<Script> = LazyLock::new(|| bare("unnamed", 1, 0, "return redis.call('DEL', k1)"));

const TAKE: &str = "redis.call('INCR', k1) redis.call('SET', k2, a1, 'PX', 30000) redis.call('SET', k3, a2, 'PX', 604800000) \
    redis.call('ZADD', k4, a3, a4) return #a5";

static TASK: LazyLock<Script> = LazyLock::new(|| {
    let body = "redis.call('INCR', k1) redis.call('HSET', k2, 'holder_agent_id', a1, 'acquired_at', a3, 'expires_at', a3, \
        'purpose', '', 'heartbeat_count', 0, 'queue_length', 0, 'fence_token', a3, 'epoch', a3) redis.call('PEXPIRE', k2, 30000) \
        redis.call('SET', k3, a2, 'PX', 604800000) redis.call('ZADD', k4, a3, a4) redis.call('SADD', k5, a4) \
        redis.call('ZADD', k6, a3, a4) redis.call('PUBLISH', a4, a1) \
        redis.call('XADD', k7, '*', 'event', 'lock:acquired', 'timestamp', a3, 'payload', a5, 'source', 'quorate') return 1";
    bare("task", 7, 5, body)
});

static UNTASK: LazyLock<Script> = LazyLock::new(|| {
    let body = "redis.call('DEL', k1) redis.call('ZREM', k2, a4) redis.call('SREM', k3, a4) redis.call('ZREM', k4, a4) \
        redis.call('PUBLISH', a4, a1) \
        redis.call('XADD', k5, '*', 'event', 'lock:released', 'timestamp', a3, 'payload', a5, 'source', a2) return 1";
    bare("untask", 5, 5, body)
});

fn bare(name: &str, keys: usize, args: usize, body: &str) -> Script {
    let keys: String = (1..=keys).map(|n| format!("--   k{n} foreign.key\n")).collect();
    let args: String = (1..=args).map(|n| format!("--   a{n} text a value\n")).collect();
    let source = format!(
        "#!lua\n-- purpose: Bare writes.\n-- guarantee: None.\n-- keys:\n{keys}-- args:\n{args}-- returns: a number\n-- writes: 20\n-- layout: any\n{body}\n"
    );
    Script::parse(name, &source).expect("a bare script")
}
