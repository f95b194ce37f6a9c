//! `quorate fsck` and what it makes of other programs' keys.

use std::time::Duration;

use crate::support::{Plane, free_port, redis_cli, until};

#[test]
fn foreign_keys_are_information_and_wrong_kinds_are_findings() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    let clean = plane.run(&["fsck", "-o", "json"]);
    assert_eq!((clean.code, &clean.json()["findings"]), (0, &serde_json::json!([])));
    let url = plane.run(&["url"]).out.trim().to_owned();
    assert!(url.starts_with("redis://default:"), "a port is open: {url}");
    assert_eq!(redis_cli(&url, &["SET", "other:app", "1"]).out.trim(), "OK");
    assert_eq!(redis_cli(&url, &["HSET", "sessions:4711", "task", "x"]).out.trim(), "1");
    let foreign = plane.run(&["fsck", "-o", "json"]);
    assert_eq!(foreign.code, 0, "{}", foreign.out);
    let codes: Vec<_> =
        foreign.json()["information"].as_array().unwrap().iter().map(|f| f["code"].clone()).collect();
    assert!(codes.contains(&"FSCK004".into()) && codes.contains(&"FSCK003".into()), "{codes:?}");
    redis_cli(&url, &["SET", "sessions:index", "wrong"]);
    redis_cli(&url, &["SET", "~q:made:up", "wrong"]);
    redis_cli(&url, &["HDEL", "~q:quorate:meta", "created_at"]);
    let wrong = plane.run(&["fsck", "-o", "json"]);
    assert_eq!(wrong.code, 1);
    let codes: Vec<_> =
        wrong.json()["findings"].as_array().unwrap().iter().map(|f| f["code"].clone()).collect();
    for code in ["FSCK001", "FSCK002", "FSCK010"] {
        assert!(codes.contains(&code.into()), "{code} in {codes:?}");
    }
    assert!(plane.run(&["fsck"]).out.contains("3 findings"));
    redis_cli(&url, &["SET", "~q:queues:claims:normal", "wrong"]);
    let hidden = plane.run(&["fsck", "-o", "json"]);
    assert_eq!(
        (hidden.code, hidden.json()["findings"].as_array().unwrap().len()),
        (1, 4),
        "one more, and those before"
    );
    assert!(!hidden.json()["unchecked"].as_array().unwrap().is_empty());
    assert!(plane.run(&["fsck"]).out.contains("was not checked"));
}

#[test]
fn hostile_keys_do_not_reach_the_terminal_raw() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    redis_cli(&url, &["SET", "\x1b[2Jevil\u{202e}\n", "1"]);
    until("the key is seen", Duration::from_secs(2), || plane.run(&["fsck"]).out.contains("evil"));
    for format in ["table", "json", "ndjson"] {
        let said = plane.run(&["fsck", "-o", format]);
        assert!(!said.out.contains('\x1b') && !said.out.contains('\u{202e}'), "{:?}", said.out);
    }
}
