//! The demo as a process: what it makes bears its mark, and nothing of it is left when that is asked for.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use crate::support::{Plane, free_port, kill, quorate, redis_cli, run, until};

/// A plane that other clients reach too, on a directory that ends with the test.
fn plane() -> (Plane, tempfile::TempDir, String) {
    let home = tempfile::TempDir::new().expect("a directory");
    let port = free_port().to_string();
    // The demo's services are on this machine, at a port that nobody knows before.
    let rules = ["--redis-port", &port, "--allow-outgoing", "127.0.0.1:*"];
    let plane = Plane::on(&home.path().join("data"), &rules, &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    (plane, home, url)
}

fn keys(url: &str) -> BTreeSet<String> {
    redis_cli(url, &["--scan"]).out.lines().map(str::to_owned).collect()
}

fn with_mark(keys: &BTreeSet<String>) -> Vec<&String> {
    keys.iter().filter(|key| key.contains("demo-")).collect()
}

/// What stays when a demo has gone: what happened, and what the plane notes of itself.
fn is_record(url: &str, key: &str) -> bool {
    let kind = redis_cli(url, &["TYPE", key]).out;
    let own = [
        "audit",
        "deadlock_detect",
        "engine_watch",
        "feed",
        "follow:",
        "lock_cleanup",
        "queues:calls",
        "refusals",
        "runs:",
        "sampled",
        "_answers",
        ":stream:",
    ];
    kind.trim() == "stream" || own.iter().any(|word| key.contains(word))
}

#[test]
fn a_demo_shows_a_fleet_and_leaves_nothing_but_what_is_on_record() {
    let (plane, _home, url) = plane();
    let own = ["~q:ade:job:deadlock_detect", "~q:ade:job:lock_cleanup"];
    until("the plane's own jobs", Duration::from_secs(20), || {
        own.iter().all(|job| keys(&url).contains(*job))
    });
    let before = keys(&url);
    let played = plane.run(&["demo", "--speed", "20", "--for", "5s"]);
    assert_eq!(played.code, 0, "{}", played.err);
    let agents = plane.run(&["agents", "ls", "-o", "json"]);
    assert!(agents.out.contains("demo-coder-1") && agents.out.contains("demo-deployer-1"), "{}", agents.out);
    assert!(plane.run(&["find", "demo-planner", "-o", "json"]).out.contains("\"agents\""));
    for (noun, word) in [
        ("tasks", "demo-task-"),
        ("locks", "demo-"),
        ("jobs", "demo-minutely"),
        ("queues", "demo-builds"),
        ("services", "demo-payments"),
        ("events", "events:all"),
    ] {
        let shown = plane.run(&[noun, "ls", "-o", "json"]);
        assert!(shown.out.contains(word), "{noun}: {}{}", shown.out, shown.err);
    }
    assert!(plane.run(&["events", "groups", "-o", "json"]).out.contains("demo-audit"));
    let checked = plane.run(&["fsck"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let cleaned = plane.run(&["demo", "--clean", "-o", "json"]);
    assert_eq!((cleaned.code, &cleaned.json()["outcome"]), (0, &"cleaned".into()), "{}", cleaned.err);
    assert!(!plane.run(&["events", "groups", "-o", "json"]).out.contains("demo-"));
    let after = keys(&url);
    assert!(with_mark(&after).is_empty(), "{:?}", with_mark(&after));
    let new: Vec<&String> = after.difference(&before).filter(|key| !is_record(&url, key)).collect();
    assert!(new.is_empty(), "{new:?}");
    let checked = plane.run(&["fsck"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    assert_eq!(plane.run(&["demo", "--clean", "-o", "json"]).json()["removed"], 0);
}

#[test]
fn a_demo_that_is_killed_leaves_nothing_that_is_wrong() {
    let (plane, _home, url) = plane();
    let mut demo = quorate(&["demo", "--speed", "20"]);
    demo.env("QUORATE_DATA_DIR", &plane.dir).stderr(Stdio::null());
    let mut demo = demo.spawn().expect("quorate runs");
    until("the fleet works", Duration::from_secs(15), || with_mark(&keys(&url)).len() > 40);
    kill(demo.id(), "KILL");
    let _ = demo.wait();
    let checked = plane.run(&["fsck"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    assert_eq!(plane.run(&["demo", "--clean"]).code, 0);
    assert!(with_mark(&keys(&url)).is_empty());
}

#[test]
fn a_plane_with_a_demo_starts_it_and_takes_it_along() {
    let home = tempfile::TempDir::new().expect("a directory");
    let dir = home.path().join("data");
    let port = free_port().to_string();
    let mut plane = Plane::on(&dir, &["--demo", "--demo-clean", "--redis-port", &port], &[]);
    plane.wait_for("demo");
    let url = plane.run(&["url"]).out.trim().to_owned();
    until("the fleet", Duration::from_secs(10), || {
        plane.run(&["agents", "ls", "-o", "json"]).out.contains("demo-coder-1")
    });
    let wrong = run(&["demo", "--scenes", "nope"]);
    assert!(wrong.code == 2 && wrong.err.contains("fleet"), "{}", wrong.err);
    assert!(!with_mark(&keys(&url)).is_empty());
    plane.signal("TERM");
    assert_eq!(plane.wait(), 0);
    let again = Plane::on(&dir, &["--redis-port", &port], &[]);
    let left = keys(again.run(&["url"]).out.trim());
    assert!(with_mark(&left).is_empty(), "{:?}", with_mark(&left));
}

#[test]
fn a_second_demo_plays_beside_the_first_and_ends_alone() {
    let (plane, _home, url) = plane();
    let first = |extra: &[&str]| {
        let mut demo = quorate(&[&["demo", "--speed", "20", "--scenes", "fleet,work"], extra].concat());
        demo.env("QUORATE_DATA_DIR", &plane.dir).stdout(Stdio::piped()).stderr(Stdio::null());
        demo.spawn().expect("quorate runs")
    };
    // With --clean: a demo that is ended by somebody else takes away nothing of theirs.
    let mut first = first(&["--for", "10m", "--clean"]);
    until("the fleet works", Duration::from_secs(15), || with_mark(&keys(&url)).len() > 20);
    let second = plane.run(&["demo", "--speed", "20", "--scenes", "fleet", "--for", "2s", "-o", "json"]);
    assert_eq!((second.code, &second.json()["outcome"]), (0, &"played".into()), "{}", second.err);
    // What it plays with is still there; without it, it would only notice in a while.
    assert!(plane.run(&["tokens", "ls", "-o", "json"]).out.contains("demo-fleet"));
    assert!(first.try_wait().expect("its state").is_none(), "the first one still plays");
    assert!(with_mark(&keys(&url)).len() > 20);
    assert_eq!(plane.run(&["demo", "--clean"]).code, 0);
    let ended = first.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success() && said.contains("somebody has ended the demo"), "{said}");
    assert!(!plane.run(&["tokens", "ls", "-o", "json"]).out.contains("demo-fleet"));
}
