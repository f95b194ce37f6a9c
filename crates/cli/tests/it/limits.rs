//! `quorate limits`, `dedupe` and `metrics`: outcomes, exit codes and bad input.

use crate::support::Plane;

#[test]
fn limits_are_set_checked_and_explained() {
    let plane = Plane::start();
    assert_eq!(plane.run(&["limits", "set", "tasks:create", "2/1m"]).code, 0);
    assert_eq!(plane.run(&["limits", "ls", "-o", "json"]).json()[0]["limit"], 2);
    let ask = |verb: &str| plane.run(&["limits", verb, "tasks:create/alice", "org/acme*5", "-o", "json"]);
    assert_eq!((ask("check").code, &ask("check").json()["remaining"]), (0, &0.into()));
    let no = ask("check");
    assert_eq!(
        (no.code, &no.json()["outcome"], &no.json()["tightest"]),
        (4, &"limited".into(), &"tasks:create/alice".into())
    );
    let wait = no.json()["retry_after_ms"].as_u64().unwrap();
    assert!((1..=61_000).contains(&wait) && no.json()["retry_after"].as_u64() == Some(wait.div_ceil(1_000)));
    let explained = ask("explain");
    assert_eq!(
        (explained.code, &explained.json()["allowed"], &explained.json()["limits"][0]["used"]),
        (0, &false.into(), &2.into())
    );
    assert_eq!(plane.run(&["limits", "check", "x/u", "--rule", "1/1s"]).code, 0);
    assert_eq!(
        (
            plane.run(&["limits", "unset", "tasks:create"]).code,
            plane.run(&["limits", "unset", "tasks:create"]).code
        ),
        (0, 3)
    );
    for bad in [
        "check x",
        "check x/u*0",
        "check x/{u}",
        "check x/u --rule 5",
        "check x/u --rule 0/1s",
        "check x/u x/u",
        "set lock:acquire 1/1m",
        "set x 1/99999d",
    ] {
        assert_eq!(plane.run(&[vec!["limits"], bad.split(' ').collect()].concat()).code, 2, "{bad}");
    }
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn contents_are_told_apart_and_counters_raised() {
    let plane = Plane::start();
    let check = |more: &[&str]| plane.run(&[&["dedupe", "check", "gate"], more, &["-o", "json"]].concat());
    assert_eq!(check(&["text"]).json()["outcome"], "first");
    let second = check(&["text"]);
    assert_eq!((second.code, &second.json()["outcome"]), (0, &"duplicate".into()));
    assert_eq!(check(&["--hash", "abc"]).json()["outcome"], "first");
    assert_eq!(
        (
            plane.run(&["dedupe", "forget", "gate", "text"]).code,
            plane.run(&["dedupe", "forget", "gate", "text"]).code
        ),
        (0, 3)
    );
    assert_eq!(
        (check(&[]).code, check(&["x", "--window", "0s"]).code, check(&["--hash", "a b"]).code),
        (2, 2, 2)
    );
    assert_eq!(plane.run(&["metrics", "incr", "jobs", "--by", "3", "-o", "json"]).json()["value"], 3);
    assert_eq!(plane.run(&["metrics", "incr", "jobs", "--by", "-1", "-o", "json"]).json()["value"], 2);
    assert_eq!(
        plane.run(&["metrics", "ls", "-o", "json"]).json()[0],
        serde_json::json!({ "counter": "jobs", "value": 2 })
    );
    assert_eq!(
        (plane.run(&["metrics", "incr", "a:b"]).code, plane.run(&["metrics", "incr", "a", "--by", "x"]).code),
        (2, 2)
    );
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

/// What a command line is refused counts as much as what a server refuses, and is there when the command has ended.
#[test]
fn refusals_of_command_lines_are_on_metrics_too() {
    let mut plane = Plane::start();
    for _ in 0..2 {
        let late = ["locks", "release", "name:x", "--agent", "nobody", "--token", "1"];
        assert_eq!(plane.run(&late).code, 4);
    }
    let made = plane.run(&["tokens", "create", "scraper", "--role", "viewer", "-o", "json"]).json();
    let token = made["token"].as_str().unwrap();
    let page = plane.ask(&format!("GET /metrics HTTP/1.1\r\nauthorization: Bearer {token}"), "");
    assert!(page.contains("quorate_refusals_total{code=\"not_owner\"} 2\n"), "{page}");
}
