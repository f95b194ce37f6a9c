//! A hundred thousand sessions: every page is bounded, and nothing walks the keys.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use quorate_plane::agents::Query;
use quorate_store::cmd;
use quorate_testkit::Bench;

use super::support::{id, plane};

const SESSIONS: usize = 100_000;
const LIMIT: usize = 1_000;

/// Made as another client would, so that many share a score; no look at the whole keyspace, which takes longer than the test.
async fn fill(bench: &Bench) {
    let keys = bench.scope.keys.reverie();
    let now = bench.scope.store.time().await.unwrap().seconds();
    for chunk in 0..SESSIONS / 2_000 {
        let mut pipeline = redis::pipe();
        for n in chunk * 2_000..(chunk + 1) * 2_000 {
            let (agent, heard) = (format!("agent-{n}"), now - (n % 7) as u64);
            let session = keys.session(&id(&agent));
            pipeline
                .cmd("HSET")
                .arg(session.as_str())
                .arg("last_heartbeat")
                .arg(heard)
                .arg("task")
                .arg("t")
                .ignore();
            pipeline.cmd("ZADD").arg(keys.session_index().as_str()).arg(heard).arg(agent).ignore();
        }
        bench.scope.store.repeatable().pipeline::<()>(&pipeline).await.unwrap();
    }
}

#[tokio::test]
async fn pages_show_everybody_exactly_once_and_no_command_walks_the_keys() {
    let bench = Bench::start().await;
    fill(&bench).await;
    let plane = plane(&bench);
    bench.cli("CONFIG RESETSTAT").await;
    let (mut seen, mut cursor, mut slowest) = (HashSet::new(), None, Duration::ZERO);
    let mut pages = 0;
    loop {
        let started = Instant::now();
        let page = plane.agents().ls(&Query { limit: LIMIT, cursor, ..Query::default() }).await.unwrap();
        slowest = slowest.max(started.elapsed());
        pages += 1;
        assert!(page.agents.len() <= LIMIT);
        for agent in page.agents {
            assert!(seen.insert(agent.agent.clone()), "{} twice", agent.agent);
        }
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((seen.len(), pages), (SESSIONS, SESSIONS / LIMIT));
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    let stats: String = bench.scope.store.query(cmd("INFO").arg("commandstats")).await.unwrap();
    let calls = |name: &str| {
        let line = stats.lines().find_map(|line| line.strip_prefix(&format!("cmdstat_{name}:calls=")));
        line.map_or(0, |rest| rest.split(',').next().unwrap().parse::<usize>().unwrap())
    };
    for name in ["scan", "keys", "hscan", "sscan", "zscan", "smembers", "zrangebyscore"] {
        assert_eq!(calls(name), 0, "{name}");
    }
    // One page reads a slice of the index and four keys of each agent; a cursor among equal scores is found by halving.
    assert_eq!(calls("hgetall"), 3 * SESSIONS);
    assert!(calls("zrange") < pages * 20, "{}", calls("zrange"));
    let first = plane.agents().ls(&Query { limit: 1, live: true, ..Query::default() }).await.unwrap();
    assert_eq!((first.agents.len(), first.cursor.is_some()), (1, true));
}
