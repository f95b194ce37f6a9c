//! A cluster of three masters and three replicas: routing, moved slots, failover, and the same promises as one server.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::support::{Server, eventually, free_port, words};
use futures_util::TryStreamExt;
use quorate_store::{ErrorKind, Notice, Options, Script, Store, Target, Topics, Value, args, pipe, slot};

static DEPOSIT: LazyLock<Script> =
    LazyLock::new(|| Script::parse("deposit", include_str!("lua/deposit.lua")).unwrap());

struct Cluster {
    nodes: Vec<Server>,
}

impl Cluster {
    /// Masters first, then one replica for each if asked for.
    async fn form(replicas: bool) -> Self {
        let count = if replicas { 6 } else { 3 };
        let buses: Vec<u16> = (0..count).map(|_| free_port()).collect();
        let cluster = Self { nodes: buses.iter().map(|bus| start_node(*bus)).collect() };
        for (index, range) in [(0, "0 5460"), (1, "5461 10922"), (2, "10923 16383")] {
            cluster.tell(index, &format!("CLUSTER ADDSLOTSRANGE {range}")).await;
        }
        for (Server { port, .. }, bus) in cluster.nodes.iter().zip(&buses).skip(1) {
            cluster.tell(0, &format!("CLUSTER MEET 127.0.0.1 {port} {bus}")).await;
        }
        for index in 3..count {
            let master: String =
                cluster.nodes[index - 3].store().await.query(&words("CLUSTER MYID")).await.unwrap();
            let node = cluster.nodes[index].store().await;
            let line = format!("CLUSTER REPLICATE {master}");
            eventually("a known master", Duration::from_secs(20), async || {
                node.query::<()>(&words(&line)).await.is_ok()
            })
            .await;
        }
        cluster.settled().await;
        cluster
    }

    async fn tell(&self, index: usize, line: &str) {
        self.nodes[index].store().await.query::<Value>(&words(line)).await.unwrap();
    }

    async fn settled(&self) {
        for node in &self.nodes {
            let store = node.store().await;
            eventually("a cluster that is ok", Duration::from_secs(30), async || {
                let state: String = store.query(&words("CLUSTER INFO")).await.unwrap();
                state.contains("cluster_state:ok")
                    && state.contains(&format!("cluster_known_nodes:{}", self.nodes.len()))
            })
            .await;
        }
        for replica in self.nodes.iter().skip(3) {
            let store = replica.store().await;
            eventually("a replica in step", Duration::from_secs(30), async || {
                store.info("replication").await.is_ok_and(|info| info.get("master_link_status") == Some("up"))
            })
            .await;
        }
    }

    async fn store(&self) -> Store {
        let target = Target::parse(&format!(
            "redis+cluster://127.0.0.1:{},127.0.0.1:{}",
            self.nodes[0].port, self.nodes[1].port
        ))
        .unwrap();
        Store::connect(target, Options::default()).await.unwrap()
    }

    /// The index of the master that owns a key, by the ranges that `form` gave out.
    fn owner(key: &str) -> usize {
        usize::from(slot(key.as_bytes())) / 5461
    }
}

fn start_node(bus: u16) -> Server {
    Server::start(&[
        "--cluster-enabled",
        "yes",
        "--cluster-port",
        &bus.to_string(),
        "--cluster-node-timeout",
        "1000",
        "--repl-diskless-sync-delay",
        "0",
    ])
}

#[tokio::test]
async fn keys_are_found_wherever_they_live() {
    let cluster = Cluster::form(false).await;
    let store = cluster.store().await;
    for n in 0..200 {
        store.query::<()>(&words(&format!("SET k{n} {n}"))).await.unwrap();
    }
    for n in 0..200 {
        assert_eq!(store.query::<i64>(&words(&format!("GET k{n}"))).await.unwrap(), n);
    }
    let sizes: Vec<usize> = store.each_master(&words("DBSIZE")).await.unwrap();
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (3, 200));
    assert!(sizes.iter().all(|size| *size > 20), "{sizes:?}");
    let mut pages = pin!(store.scan("k*", 10).await.unwrap());
    let mut seen = BTreeSet::new();
    while let Some(page) = pages.try_next().await.unwrap() {
        seen.extend(page);
    }
    assert_eq!(seen.len(), 200, "a scan covers every master");
    let error = store.query::<Value>(&words("DBSIZE")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "a part must not look like the whole");
    assert_eq!(store.query::<Value>(&words("MGET k1 k2")).await.unwrap_err().kind(), ErrorKind::CrossSlot);
    assert!(store.time().await.unwrap().get() > 0);

    let mut same = pipe();
    same.cmd("SET").arg("{a}1").arg(1).ignore().cmd("GET").arg("{a}1");
    assert_eq!(store.pipeline::<(i64,)>(&same).await.unwrap(), (1,));
    let mut apart = pipe();
    apart.cmd("GET").arg("k1").cmd("GET").arg("k2");
    assert_eq!(store.pipeline::<Value>(&apart).await.unwrap_err().kind(), ErrorKind::CrossSlot);

    for n in 1..=30 {
        let keys = [format!("{{t{n}}}account"), format!("{{t{n}}}ring")];
        let answer: (String, i64, String) = store.run(&DEPOSIT, &keys, &args![n, "r1"]).await.unwrap();
        assert_eq!(answer.1, n, "each node is sent the script when it needs it");
    }
    let split: quorate_store::Result<Value> = store.run(&DEPOSIT, &["k1", "k2"], &args![1, "r"]).await;
    assert_eq!(split.unwrap_err().kind(), ErrorKind::CrossSlot);

    let mut subscription = store.subscribe(Topics::channels(["news"])).await.unwrap();
    cluster.nodes[2].store().await.query::<()>(&words("PUBLISH news hello")).await.unwrap();
    let heard = tokio::time::timeout(Duration::from_secs(3), subscription.next()).await.unwrap();
    assert!(matches!(heard, Notice::Message { payload, .. } if payload == b"hello"));
    a_plain_url_is_told_at_once(&cluster).await;
    moved_slots_are_followed(&cluster, &store).await;
}

async fn a_plain_url_is_told_at_once(cluster: &Cluster) {
    let node = cluster.nodes[(Cluster::owner("a") + 1) % 3].store().await;
    let started = Instant::now();
    let error = node.query::<Value>(&words("GET a")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Moved);
    assert!(error.advice().contains("redis+cluster://"));
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

/// Moves the slot of `{move}` from its owner to another master, with requests before, during and after.
async fn moved_slots_are_followed(cluster: &Cluster, store: &Store) {
    let (number, from) = (slot(b"move"), Cluster::owner("move"));
    let to = (from + 1) % 3;
    let (source, sink) = (cluster.nodes[from].store().await, cluster.nodes[to].store().await);
    let source_id: String = source.query(&words("CLUSTER MYID")).await.unwrap();
    let sink_id: String = sink.query(&words("CLUSTER MYID")).await.unwrap();
    store.query::<()>(&words("SET {move}here 1")).await.unwrap();
    sink.query::<()>(&words(&format!("CLUSTER SETSLOT {number} IMPORTING {source_id}"))).await.unwrap();
    source.query::<()>(&words(&format!("CLUSTER SETSLOT {number} MIGRATING {sink_id}"))).await.unwrap();
    // A key that is not there any more, or not yet, is asked from the importing node.
    store.query::<()>(&words("SET {move}there 2")).await.unwrap();
    assert_eq!(store.query::<i64>(&words("GET {move}there")).await.unwrap(), 2);
    assert_eq!(store.query::<i64>(&words("GET {move}here")).await.unwrap(), 1);
    let both =
        store.within(Duration::from_secs(1)).query::<Value>(&words("MGET {move}here {move}there")).await;
    assert_eq!(both.unwrap_err().kind(), ErrorKind::TryAgain);
    let port = cluster.nodes[to].port;
    source.query::<Value>(&words(&format!("MIGRATE 127.0.0.1 {port} {{move}}here 0 1000"))).await.unwrap();
    for node in [&sink, &source] {
        node.query::<()>(&words(&format!("CLUSTER SETSLOT {number} NODE {sink_id}"))).await.unwrap();
    }
    assert_eq!(store.query::<Vec<i64>>(&words("MGET {move}here {move}there")).await.unwrap(), [1, 2]);
}

#[tokio::test]
async fn a_failover_is_followed_and_one_dead_node_does_not_hold_up_the_others() {
    let mut cluster = Cluster::form(true).await;
    let store = cluster.store().await;
    let victim = Cluster::owner("a");
    let other = (0..100).map(|n| format!("k{n}")).find(|key| Cluster::owner(key) != victim).unwrap();
    store.query::<()>(&words("SET a 1")).await.unwrap();
    assert_eq!(store.wait_replicas(1, Duration::from_secs(5)).await.unwrap(), 1);
    cluster.nodes[victim].worker.kill9().unwrap();
    let died = Instant::now();
    store.query::<()>(&words(&format!("SET {other} 1"))).await.unwrap();
    assert!(died.elapsed() < Duration::from_secs(1), "{:?}", died.elapsed());
    // The cluster needs its node timeout and an election; the store must not add more than two seconds to that.
    eventually("the replica has taken over", Duration::from_secs(15), async || {
        cluster.nodes[victim + 3].store().await.info("replication").await.unwrap().get("role")
            == Some("master")
    })
    .await;
    let promoted = Instant::now();
    assert_eq!(store.query::<i64>(&words("GET a")).await.unwrap(), 1);
    store.query::<()>(&words("SET a 2")).await.unwrap();
    assert!(promoted.elapsed() < Duration::from_secs(2), "{:?}", promoted.elapsed());
}
