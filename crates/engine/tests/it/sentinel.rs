//! Three sentinels agree on a new master when theirs is gone, killed or merely silent.

use std::time::Duration;

use quorate_engine::{Node, NodeOptions, Sentinels};

use crate::support::{carried, eventually, lives, redis};

const FAILOVER: Duration = Duration::from_secs(20);

#[test]
fn sentinels_replace_a_killed_master() {
    let mut trio = Sentinels::start(&carried()).unwrap();
    let old = replaced(&mut trio, |master| master.kill9());
    assert_ne!(trio.master_port().unwrap(), old);
}

#[test]
fn sentinels_replace_a_killed_master_on_redis() {
    let mut trio = Sentinels::start(&redis()).unwrap();
    replaced(&mut trio, |master| master.kill9());
}

#[test]
fn sentinels_replace_a_silent_master_and_it_comes_back_as_a_replica() {
    let mut trio = Sentinels::start(&carried()).unwrap();
    replaced(&mut trio, |master| master.pause());
    let old = &trio.servers()[0];
    old.resume();
    eventually("the old master follows", FAILOVER, || {
        old.call(&["ROLE"]).is_ok_and(|role| role.list()[0].text() == "slave")
    });
}

fn replaced(trio: &mut Sentinels, fault: impl Fn(&mut Node)) -> u16 {
    let old = trio.master_port().unwrap();
    assert_eq!(old, trio.servers()[0].port());
    trio.servers()[0].call(&["SET", "key", "value"]).unwrap();
    trio.servers()[0].call(&["WAIT", "2", "2000"]).unwrap();
    fault(trio.server_mut(0).unwrap());
    let new = trio.wait_failover(old, FAILOVER).unwrap();
    let master = trio.servers().iter().find(|server| server.port() == new).unwrap();
    assert_eq!(master.call(&["GET", "key"]).unwrap().text(), "value");
    old
}

#[test]
fn a_node_keeps_its_data_over_a_crash_and_dies_with_its_value() {
    for binary in [carried(), redis()] {
        let options =
            NodeOptions::new(&binary).unwrap().appendonly().password("sesame").config("maxclients 50");
        let mut node = Node::start(options).unwrap();
        node.call(&["SET", "key", "value"]).unwrap();
        let (pid, port) = (node.pid().unwrap(), node.port());
        node.kill9();
        assert!(!lives(pid) && node.pid().is_none());
        node.restart().unwrap();
        assert_eq!(node.port(), port);
        assert_eq!(node.call(&["GET", "key"]).unwrap().text(), "value");
        assert_eq!(node.call(&["CONFIG", "GET", "maxclients"]).unwrap().list()[1].text(), "50");
        let pid = node.pid().unwrap();
        drop(node);
        assert!(!lives(pid));
    }
}
