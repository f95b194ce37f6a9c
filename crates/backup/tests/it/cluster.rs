//! A cluster is copied shard by shard and comes back on a cluster, on a single server, and through Sentinel.

use quorate_backup::Error;
use quorate_catalog::Layout;
use quorate_engine::{Cluster, Sentinels};
use quorate_store::deployment;
use quorate_store::invariant::Scope;

use crate::support::{Shelf, bench, fsck, keys, say, scope, valkey};

async fn cluster(servers: &Cluster) -> Scope {
    let hosts: Vec<String> =
        servers.nodes().iter().map(|node| format!("127.0.0.1:{}", node.port())).collect();
    scope(&format!("redis+cluster://{}", hosts.join(",")), Layout::Tagged).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_a_cluster_to_one_server_and_back() {
    let servers = Cluster::start(&valkey()).unwrap();
    let (source, single, shelf) = (cluster(&servers).await, bench(&valkey()).await, Shelf::new());
    deployment::claim(&source.store, &source.keys).await.unwrap();
    for number in 0..300 {
        say::<()>(&source, &format!("SET key{number} {number}")).await;
        say::<String>(&source, &format!("XADD stream{number} 1-1 a b")).await;
    }
    let taken = shelf.backup(&source).await.unwrap();
    assert_eq!((taken.manifest.shards.len(), taken.manifest.keys()), (3, 601));
    assert!(taken.manifest.shards.iter().all(|shard| shard.keys > 0));

    let tagged = scope(&single.node.url().reveal(), Layout::Tagged).await;
    shelf.restore(&tagged).await.unwrap();
    assert_eq!((keys(&tagged).await, fsck(&tagged).await.len()), (601, 0));

    say::<()>(&source, "SET later 1").await;
    shelf.replace(&source).await.unwrap();
    assert_eq!((keys(&source).await, fsck(&source).await.len()), (601, 0));
    for number in 0..300 {
        assert_eq!(say::<u64>(&source, &format!("GET key{number}")).await, number);
    }

    // A slot on its way could take a key from a node not copied yet to one already copied.
    let ids: Vec<String> = source.store.each_master(quorate_store::cmd("CLUSTER").arg("MYID")).await.unwrap();
    let node = servers
        .nodes()
        .iter()
        .find(|node| node.call(&["CLUSTER", "MYID"]).unwrap().text() == ids[0])
        .unwrap();
    let slot = node.call(&["CLUSTER", "SHARDS"]).map(|_| own_slot(node)).unwrap();
    node.call(&["CLUSTER", "SETSLOT", &slot, "MIGRATING", &ids[1]]).unwrap();
    assert!(matches!(Shelf::new().backup(&source).await, Err(Error::Moving)));
}

fn own_slot(node: &quorate_engine::Node) -> String {
    let view = node.call(&["CLUSTER", "NODES"]).unwrap();
    let line = view.text().lines().find(|line| line.contains("myself")).unwrap();
    line.split_whitespace().nth(8).unwrap().split('-').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_layout_does_not_go_to_a_cluster_and_sentinel_is_followed() {
    let trio = Sentinels::start(&valkey()).unwrap();
    let hosts: Vec<String> =
        trio.sentinels().iter().map(|node| format!("127.0.0.1:{}", node.port())).collect();
    let url = format!("redis+sentinel://{}/{}", hosts.join(","), Sentinels::NAME);
    let (source, shelf) = (scope(&url, Layout::Plain).await, Shelf::new());
    deployment::claim(&source.store, &source.keys).await.unwrap();
    shelf.backup(&source).await.unwrap();
    shelf.replace(&source).await.unwrap();
    assert_eq!((keys(&source).await, fsck(&source).await.len()), (1, 0));
    let servers = Cluster::start(&valkey()).unwrap();
    assert!(matches!(shelf.restore(&cluster(&servers).await).await, Err(Error::Layout)));
}
