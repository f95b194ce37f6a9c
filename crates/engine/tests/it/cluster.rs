//! A cluster forms, and one of its replicas takes over from a killed master.

use std::time::Duration;

use quorate_engine::resp::Value;
use quorate_engine::{Binary, Cluster};

use crate::support::{carried, redis};

const FAILOVER: Duration = Duration::from_secs(20);

#[test]
fn a_replica_takes_over_from_a_killed_master() {
    fails_over(&carried());
}

#[test]
fn a_replica_takes_over_from_a_killed_master_on_redis() {
    fails_over(&redis());
}

fn fails_over(binary: &Binary) {
    let mut cluster = Cluster::start(binary).unwrap();
    assert_eq!(cluster.urls().len(), 6);
    for i in 0..50 {
        cluster.call(&["SET", &format!("key:{i}"), "value"]).unwrap();
    }
    // The replicas have everything before the master goes: what replication may lose is not the matter here.
    for node in &cluster.nodes()[..3] {
        let mut tries = 0..15;
        let synced = tries.any(|_| node.call(&["WAIT", "1", "2000"]).unwrap() == Value::Int(1));
        assert!(synced, "a replica has everything");
    }
    std::thread::sleep(Duration::from_millis(200));
    cluster.node_mut(0).unwrap().kill9();
    cluster.wait_promoted(3, FAILOVER).unwrap();
    cluster.wait_whole(FAILOVER).unwrap();
    for i in 0..50 {
        assert_eq!(cluster.call(&["GET", &format!("key:{i}")]).unwrap().text(), "value");
    }
    cluster.node_mut(0).unwrap().restart().unwrap();
    cluster.wait_whole(FAILOVER).unwrap();
}
