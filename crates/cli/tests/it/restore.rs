//! `quorate restore` and the audit trail: whoever replaces a store is on record in the one that takes its place.

use std::time::Duration;

use quorate_engine::resp::Value as Reply;
use quorate_engine::{Node, NodeOptions};
use quorate_testkit::binary;
use serde_json::Value;

use crate::support::{Plane, Said, quorate, said, until};

/// A server that a plane has run on, which nobody runs on now.
fn server(home: &std::path::Path) -> Node {
    let node = Node::start(NodeOptions::new(&binary()).unwrap().appendonly()).unwrap();
    let mut plane = Plane::on(home, &[], &[("REDIS_URL", &node.url().reveal())]);
    plane.signal("TERM");
    assert_eq!(plane.wait(), 0);
    node
}

fn run(node: &Node, words: &[&str]) -> Said {
    said(quorate(words).env("REDIS_URL", node.url().reveal()).output().unwrap())
}

fn restores(node: &Node) -> Vec<Value> {
    let listed = run(node, &["audit", "ls", "--action", "restore", "-o", "json"]);
    listed.json()["records"].as_array().unwrap_or_else(|| panic!("{}", listed.err)).clone()
}

#[test]
fn a_restore_is_on_record_once_with_the_end_of_the_trail_that_it_replaced() {
    let home = tempfile::tempdir().unwrap();
    let (node, file) = (server(home.path()), home.path().join("copy"));
    let file = file.to_str().unwrap();
    assert_eq!(run(&node, &["limits", "set", "e1", "2/1m"]).code, 0);
    assert_eq!(run(&node, &["backup", file]).code, 0);
    assert_eq!(run(&node, &["limits", "set", "e2", "2/1m"]).code, 0);
    assert_ne!(run(&node, &["restore", file]).code, 0, "it is not empty");
    assert_eq!(restores(&node).len(), 0, "nothing was changed");
    let done = run(&node, &["restore", file, "--replace", "-o", "json"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let all = restores(&node);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!((&all[0]["result"], &all[0]["target"]), (&"ok".into(), &file.into()), "{all:?}");
    assert_eq!(all[0]["before"]["records"], 2, "what went with the old store: {all:?}");
    assert_eq!(run(&node, &["fsck"]).code, 0);
}

#[test]
fn a_restore_that_was_killed_is_on_record_when_another_one_has_ended() {
    let home = tempfile::tempdir().unwrap();
    let (node, file) = (server(home.path()), home.path().join("copy"));
    let file = file.to_str().unwrap();
    let fill = "for n = 1, 20000 do redis.call('SET', 'k' .. n, n) end";
    node.call(&["EVAL", fill, "0"]).unwrap();
    assert_eq!(run(&node, &["backup", file]).code, 0);
    let mut command = quorate(&["restore", file, "--replace"]);
    let mut child = command.env("REDIS_URL", node.url().reveal()).spawn().unwrap();
    until("it has begun", Duration::from_secs(60), || {
        node.call(&["HEXISTS", "~q:quorate:restore", "notes"]).is_ok_and(|there| there == Reply::Int(1))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(
        node.call(&["EXISTS", "~q:quorate:restore"]).unwrap(),
        Reply::Int(1),
        "it was killed in the middle"
    );
    let done = run(&node, &["restore", file, "--replace"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let results: Vec<Value> = restores(&node).iter().map(|one| one["result"].clone()).collect();
    assert_eq!(results, ["ok", "unknown"]);
    assert_eq!(node.call(&["EXISTS", "~q:quorate:restore"]).unwrap(), Reply::Int(0));
}
