//! Sentinel: the store follows the master.

use std::time::{Duration, Instant};

use crate::support::{Server, eventually, free_port, words};
use quorate_store::{ErrorKind, Options, Store, Target};

fn start_sentinel(master: u16) -> Server {
    let lines = format!(
        "sentinel monitor mymaster 127.0.0.1 {master} 1\n\
         sentinel down-after-milliseconds mymaster 500\n\
         sentinel failover-timeout mymaster 4000\n"
    );
    Server::start_sentinel(&lines)
}

fn sentinel_url(sentinels: &[u16], master: &str) -> Target {
    let hosts: Vec<_> = sentinels.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    Target::parse(&format!("redis+sentinel://{}/{master}", hosts.join(","))).unwrap()
}

#[tokio::test]
async fn the_store_follows_the_master_through_a_failover() {
    let mut master = Server::start(&["--repl-diskless-sync-delay", "0"]);
    let replica = Server::start(&["--replicaof", &format!("127.0.0.1 {}", master.port)]);
    let copy = replica.store().await;
    eventually("replication", Duration::from_secs(20), async || {
        copy.info("replication").await.is_ok_and(|info| info.get("master_link_status") == Some("up"))
    })
    .await;
    let sentinel = start_sentinel(master.port);
    let watcher = sentinel.store().await;
    eventually("a known replica", Duration::from_secs(20), async || {
        watcher
            .query::<Vec<quorate_store::Value>>(&words("SENTINEL replicas mymaster"))
            .await
            .is_ok_and(|all| all.len() == 1)
    })
    .await;
    // The first Sentinel named is away, so the second must be asked.
    let store = Store::connect(sentinel_url(&[free_port(), sentinel.port], "mymaster"), Options::default())
        .await
        .unwrap();
    store.query::<()>(&words("SET a 1")).await.unwrap();
    store.wait_replicas(1, Duration::from_secs(5)).await.unwrap();
    master.worker.kill9().unwrap();
    eventually("a promoted replica", Duration::from_secs(20), async || {
        copy.info("replication").await.is_ok_and(|info| info.get("role") == Some("master"))
    })
    .await;
    let promoted = Instant::now();
    assert_eq!(store.query::<i64>(&words("GET a")).await.unwrap(), 1);
    store.query::<()>(&words("SET a 2")).await.unwrap();
    assert!(promoted.elapsed() < Duration::from_secs(3), "{:?}", promoted.elapsed());
    let wrong =
        Store::connect(sentinel_url(&[sentinel.port], "nobody"), Options::default()).await.unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Unreachable);
    assert!(wrong.detail().contains("knows no master named nobody"), "{wrong}");
}
