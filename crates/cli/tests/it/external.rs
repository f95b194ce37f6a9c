//! Someone else's server: no child is started, and what is wrong with it is said.

use quorate_engine::{Node, NodeOptions};
use quorate_testkit::binary;

use crate::support::{Plane, quorate, said};

fn node(change: impl FnOnce(NodeOptions) -> NodeOptions) -> Node {
    Node::start(change(NodeOptions::new(&binary()).unwrap())).unwrap()
}

fn doctor(url: &str) -> crate::support::Said {
    said(quorate(&["doctor", "-o", "json"]).env("REDIS_URL", url).output().unwrap())
}

fn verdict(said: &crate::support::Said, check: &str) -> String {
    let checks = said.json()["checks"].as_array().unwrap().clone();
    let found = checks.iter().find(|own| own["check"] == check).unwrap_or_else(|| panic!("{check}"));
    found["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn with_redis_url_no_engine_is_started() {
    let node = node(NodeOptions::appendonly);
    let home = tempfile::tempdir().unwrap();
    let url = node.url().reveal();
    let mut plane = Plane::on(home.path(), &[], &[("REDIS_URL", &url)]);
    assert!(!home.path().join("engine").exists() && !home.path().join("store").exists());
    assert_eq!(doctor(&url).code, 0);
    plane.signal("TERM");
    assert_eq!(plane.wait(), 0);
    assert_eq!(node.call(&["HGET", "~q:quorate:meta", "layout"]).unwrap().text(), "plain");
}

#[test]
fn the_doctor_names_what_is_wrong() {
    let sound = node(NodeOptions::appendonly);
    assert_eq!(doctor(&sound.url().reveal()).code, 0, "{}", doctor(&sound.url().reveal()).out);
    let forgetful = node(|options| options.config("maxmemory-policy allkeys-lru"));
    let said = doctor(&forgetful.url().reveal());
    assert_eq!(said.code, 1);
    assert_eq!(
        (verdict(&said, "eviction").as_str(), verdict(&said, "persistence").as_str()),
        ("wrong", "wrong")
    );
    let replica =
        node(|options| options.appendonly().config(format!("replicaof 127.0.0.1 {}", sound.port())));
    let said = doctor(&replica.url().reveal());
    assert_eq!((said.code, verdict(&said, "role").as_str()), (1, "unfit"));
    let full = node(|options| options.appendonly().config("maxmemory 1100kb"));
    assert_eq!(verdict(&doctor(&full.url().reveal()), "memory"), "wrong");
}

#[test]
fn up_refuses_a_replica_and_warns_of_a_forgetful_server() {
    let home = tempfile::tempdir().unwrap();
    let master = node(NodeOptions::appendonly);
    let replica =
        node(|options| options.appendonly().config(format!("replicaof 127.0.0.1 {}", master.port())));
    let mut command = quorate(&["up", "--listen", "127.0.0.1:0", "--data-dir"]);
    let refused = said(command.arg(home.path()).env("REDIS_URL", replica.url().reveal()).output().unwrap());
    assert_eq!(refused.code, 1, "{}", refused.err);
    assert!(refused.err.contains("role: this server is a replica"), "{}", refused.err);
    let forgetful = node(|options| options);
    let mut plane = Plane::begin(home.path(), &[], &[("REDIS_URL", &forgetful.url().reveal())]);
    plane.wait_for("warning: persistence");
    plane.wait_for("is up");
}

#[test]
fn a_wrong_password_is_denied_without_being_repeated() {
    let node = node(|options| options.password("right-password"));
    let url = format!("redis://:wrong-password@127.0.0.1:{}/", node.port());
    let said = doctor(&url);
    assert_eq!(said.code, 5, "{}", said.err);
    assert!(!said.err.contains("wrong-password") && said.err.contains("password"), "{}", said.err);
}

#[test]
fn a_server_that_is_away_is_unreachable_and_its_address_is_said() {
    let port = crate::support::free_port();
    let said = doctor(&format!("redis://:sesame@127.0.0.1:{port}/"));
    assert_eq!(said.code, 69, "{}", said.err);
    assert!(said.err.contains(&port.to_string()) && !said.err.contains("sesame"), "{}", said.err);
    let nonsense = doctor("http://127.0.0.1/");
    assert_eq!(nonsense.code, 2, "{}", nonsense.err);
}
