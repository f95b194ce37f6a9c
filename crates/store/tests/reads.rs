//! Reading: pages of keys, the server's facts, pipelines, replicas.

use std::collections::BTreeSet;
use std::pin::pin;
use std::time::{Duration, Instant};

use crate::support::{Server, eventually, words};
use futures_util::TryStreamExt;
use quorate_store::{Micros, Options, Store, Target, Value, pipe};

#[tokio::test]
async fn a_scan_sees_every_key_in_bounded_pages() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let mut fill = pipe();
    for n in 0..5000 {
        fill.cmd("SET")
            .arg(format!("a:{n}"))
            .arg(1)
            .ignore()
            .cmd("SET")
            .arg(format!("b:{n}"))
            .arg(1)
            .ignore();
    }
    fill.cmd("SET").arg(b"a:\xff\x00".as_slice()).arg(1).ignore();
    store.pipeline::<()>(&fill).await.unwrap();
    let mut pages = pin!(store.scan("a:*", 100).await.unwrap());
    let (mut seen, mut largest) = (BTreeSet::new(), 0);
    while let Some(page) = pages.try_next().await.unwrap() {
        largest = largest.max(page.len());
        seen.extend(page);
    }
    assert_eq!(seen.len(), 5001);
    assert!(seen.contains(b"a:\xff\x00".as_slice()));
    assert!(largest < 400, "a page of {largest}");
}

#[tokio::test]
async fn facts_and_time_are_the_servers() {
    let server = Server::start(&[]);
    let store = server.store().await;
    let info = store.info("server").await.unwrap();
    assert_eq!(info.number("tcp_port"), Some(u64::from(server.port)));
    assert_eq!(info.get("used_memory"), None, "only the section asked for");
    let (first, second) = (store.time().await.unwrap(), store.time().await.unwrap());
    assert!(first < second && second < Micros::MAX);
    assert_eq!(store.each_master::<usize>(&words("DBSIZE")).await.unwrap(), [0]);
}

#[tokio::test]
async fn a_socket_and_a_database_are_reached() {
    let server = Server::start(&["--unixsocket", "s.sock", "--requirepass", "a/b@c"]);
    let url = format!("unix://{}?db=3&pass=a%2Fb%40c", server.folder().join("s.sock").display());
    let store = Store::connect(Target::parse(&url).unwrap(), Options::default()).await.unwrap();
    store.query::<()>(&words("SET a b")).await.unwrap();
    assert_eq!(
        store.info("keyspace").await.unwrap().get("db3").map(|line| line.starts_with("keys=1,")),
        Some(true)
    );
}

#[tokio::test]
async fn replicas_are_waited_for_without_holding_up_others() {
    let (master, replica) = (Server::start(&[]), Server::start(&["--repl-diskless-load", "swapdb"]));
    let (store, copy) = (master.store().await, replica.store().await);
    store.query::<()>(&words("CONFIG SET repl-diskless-sync-delay 0")).await.unwrap();
    copy.query::<()>(&words(&format!("REPLICAOF 127.0.0.1 {}", master.port))).await.unwrap();
    eventually("replication", Duration::from_secs(20), async || {
        copy.info("replication").await.is_ok_and(|info| info.get("master_link_status") == Some("up"))
    })
    .await;
    // A fresh replica is sent nothing before its first acknowledgement, which takes it up to a second.
    store.query::<()>(&words("SET a 0")).await.unwrap();
    assert_eq!(store.wait_replicas(1, Duration::from_secs(5)).await.unwrap(), 1);
    store.query::<()>(&words("SET a 1")).await.unwrap();
    let started = Instant::now();
    assert_eq!(store.wait_replicas(1, Duration::from_secs(3)).await.unwrap(), 1);
    assert!(started.elapsed() < Duration::from_millis(800), "{:?}", started.elapsed());
    assert_eq!(copy.query::<i64>(&words("GET a")).await.unwrap(), 1);
    replica.worker.stop().unwrap();
    store.query::<()>(&words("SET a 2")).await.unwrap();
    let waiting = {
        let store = store.clone();
        tokio::spawn(async move { store.wait_replicas(1, Duration::from_millis(700)).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    let started = Instant::now();
    store.query::<Value>(&words("GET a")).await.unwrap();
    assert!(started.elapsed() < Duration::from_millis(40), "{:?}", started.elapsed());
    assert_eq!(waiting.await.unwrap().unwrap(), 0, "a stopped replica has not got it");
}
