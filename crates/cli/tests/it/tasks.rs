//! `quorate tasks`: what is reported is shown, once, and a hostile text stays a text.

use crate::support::{Plane, free_port, quorate, redis_cli, said};

#[test]
fn a_task_reports_is_shown_and_ends() {
    let plane = Plane::start();
    let report =
        ["tasks", "status", "t1", "running", "--message", "\u{1b}[2Jclear", "--parent", "p", "-o", "json"];
    let first = plane.run(&report);
    assert_eq!((first.code, &first.json()["outcome"]), (0, &"accepted".into()), "{}", first.out);
    assert_eq!(plane.run(&report).json()["outcome"], "duplicate");
    let again = plane.run(&report[..report.len() - 2]);
    assert!(again.out.contains("nothing changed") && again.out.contains("--event-id"), "{}", again.out);
    assert_eq!(plane.run(&["tasks", "status", "t1", "Completed", "--result", "{\"n\":1}"]).code, 0);
    let late = plane.run(&["tasks", "status", "t1", "running", "--event-id", "late"]);
    assert!(late.out.contains("after end"), "{}", late.out);
    let shown = plane.run(&["tasks", "show", "t1", "-o", "json"]).json();
    assert_eq!((&shown["status"], &shown["events"]), (&"Completed".into(), &3.into()));
    let history = plane.run(&["tasks", "history", "t1"]);
    assert!(history.code == 0 && !history.out.contains('\u{1b}'), "{}", history.out);
    assert!(plane.run(&["tasks", "ls"]).out.contains("t1"));
    assert_eq!(plane.run(&["tasks", "children", "p", "-o", "json"]).json()["children"][0], "t1");
    assert_eq!(plane.run(&["tasks", "show", "nobody"]).code, 3);
    assert_eq!(plane.run(&["tasks", "status", "p", "x", "--parent", "t1"]).code, 4, "a ring");
    for bad in [
        &["tasks", "status", "a b", "x"][..],
        &["tasks", "status", "t1", " "],
        &["tasks", "status", "t1", "x", "--meta", "[]"],
        &["tasks", "status", "t1", "x", "--timestamp", "tomorrow"],
        &["tasks", "ls", "--limit", "0"],
    ] {
        assert_eq!(plane.run(bad).code, 2, "{bad:?}");
    }
    assert_eq!(plane.run(&["tasks", "observe", "t1", "Seen", "--fields", "{\"n\":1}"]).code, 0);
    assert!(plane.run(&["tasks", "observations", "t1"]).out.contains("Seen"));
    let page = plane.run(&["tasks", "feed", "--since", "nobody", "--limit", "1"]);
    assert!(page.code == 0 && page.err.contains("gap"), "{} {}", page.out, page.err);
    let lease = plane.run(&["tasks", "lease", "t1", "--owner", "w1", "-o", "json"]).json();
    assert_eq!(plane.run(&["tasks", "lease", "t1", "--owner", "w2"]).code, 4);
    let token = lease["token"].as_str().unwrap().to_owned();
    assert_eq!(plane.run(&["tasks", "beat", "t1", &token, "--owner", "w1"]).code, 0);
    assert_eq!(plane.run(&["tasks", "release", "t1", &token, "--owner", "w1"]).code, 0);
    assert!(plane.run(&["tasks", "graph", "t1", "--mermaid"]).out.starts_with("flowchart LR"));
    assert!(plane.run(&["tasks", "pressure"]).out.contains("queue_depth_high"));
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

/// A store of Relayna that was made without its helper has the prefix `task`; both names are the seed's.
#[test]
fn prefixes_and_lengths_are_taken_from_the_environment() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let plane = Plane::on(&home.path().join("data"), &["--redis-port", &port], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    let run = |args: &[&str]| {
        let mut command = quorate(args);
        command.env("QUORATE_DATA_DIR", &plane.dir);
        command.env("RELAYNA_STORE_PREFIX", "task").env("RELAYNA_STORE_HISTORY_MAXLEN", "2");
        said(command.output().unwrap())
    };
    let old = "{\"task_id\": \"t1\", \"status\": \"queued\"}";
    redis_cli(&url, &["LPUSH", "task:history:t1", old]);
    assert_eq!(run(&["tasks", "show", "t1", "-o", "json"]).json()["status"], "queued");
    for status in ["a", "b", "c"] {
        assert_eq!(run(&["tasks", "status", "t1", status]).code, 0);
    }
    assert_eq!(redis_cli(&url, &["LLEN", "task:history:t1"]).out.trim(), "2");
    assert_eq!(plane.run(&["tasks", "show", "t1"]).code, 3, "another store knows nothing of it");
    assert_eq!(plane.run(&["fsck"]).code, 0, "and its keys are of a family");
}
