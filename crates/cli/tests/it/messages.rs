//! `quorate messages`: outcomes, exit codes, following, and hostile text.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use crate::support::{Plane, free_port, quorate, redis_cli, until};

fn sent(plane: &Plane, to: &str, text: &str, more: &[&str]) -> String {
    let said = plane.run(&[&["messages", "send", to, text, "--from", "a", "-o", "json"], more].concat());
    assert_eq!((said.code, &said.json()["outcome"]), (0, &"sent".into()), "{}{}", said.out, said.err);
    said.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_message_is_sent_shown_read_acknowledged_and_remembered() {
    let plane = Plane::start();
    let id = sent(&plane, "b", "hello", &["--kind", "handoff", "--thread", "t1", "--subject", "s"]);
    let shown = plane.run(&["messages", "inbox", "b", "-o", "json"]).json();
    let one = &shown["messages"][0];
    assert_eq!(
        (&one["id"], &one["body"], &one["kind"]),
        (&id.as_str().into(), &"hello".into(), &"handoff".into())
    );
    assert_eq!(
        (&shown["waiting"], &shown["unread"], &one["state"]),
        (&1.into(), &1.into(), &"stored".into())
    );
    let read = plane.run(&["messages", "read", "b", "-o", "json"]).json();
    assert_eq!((&read["unread"], &read["messages"][0]["state"]), (&0.into(), &"read".into()));
    assert_eq!(plane.run(&["messages", "ack", "c", &id]).code, 4, "it is not for c");
    assert_eq!(plane.run(&["messages", "ack", "b", "nothing"]).code, 3);
    let acked = plane.run(&["messages", "ack", "b", &id, "--acted-on", "task:1", "-o", "json"]);
    assert_eq!((acked.code, &acked.json()["outcome"]), (0, &"acked".into()));
    assert_eq!(
        plane.run(&["messages", "ack", "b", &id, "-o", "json"]).json()["messages"],
        acked.json()["messages"]
    );
    assert_eq!(
        plane.run(&["messages", "inbox", "b", "-o", "json"]).json()["messages"],
        serde_json::json!([])
    );
    for which in [["a", ""], ["b", ""], ["--thread", "t1"], ["--message", &id]] {
        let words: Vec<&str> = which.into_iter().filter(|word| !word.is_empty()).collect();
        let history = plane.run(&[&["messages", "history", "-o", "json"], &words[..]].concat()).json();
        assert_eq!(history["messages"][0]["state"], "acted", "{which:?}");
    }
    assert_eq!(plane.run(&["messages", "history"]).code, 2);
    assert_eq!(plane.run(&["messages", "history", "--message", "nothing"]).code, 3);
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn a_broadcast_reaches_the_living_and_a_late_answer_escalates() {
    let plane = Plane::start();
    for agent in ["a", "b", "c"] {
        assert_eq!(plane.run(&["agents", "register", agent, "--role", "crew"]).code, 0);
    }
    let all =
        plane.run(&["messages", "broadcast", "stop", "--from", "a", "--kind", "emergency", "-o", "json"]);
    assert_eq!((all.code, &all.json()["sent"]), (0, &2.into()), "{}", all.out);
    let nobody = plane.run(&["messages", "broadcast", "x", "--from", "a", "--role", "other", "-o", "json"]);
    assert_eq!((nobody.code, &nobody.json()["sent"]), (0, &0.into()));
    sent(&plane, "b", "answer me", &["--kind", "request", "--ack-by", "200ms"]);
    until("the sender is told", Duration::from_secs(5), || {
        let inbox = plane.run(&["messages", "inbox", "a", "-o", "json"]).json();
        inbox["messages"][0]["kind"] == "escalation"
    });
    let beat = plane.run(&["agents", "heartbeat", "b", "-o", "json"]).json();
    assert_eq!((&beat["messages"], &beat["unread"]), (&2.into(), &2.into()));
}

#[test]
fn hostile_text_arrives_as_it_was_and_never_reaches_the_terminal_raw() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    let text = "\u{1b}]52;c;AAAA\u{7} \u{202e}evil\r\n{\"id\":\"x\"}";
    sent(&plane, "b", text, &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    redis_cli(&url, &["LPUSH", "tasks:inbox:b", "raw \u{1b}[2J"]);
    let shown = plane.run(&["messages", "inbox", "b", "-o", "json"]);
    assert_eq!(shown.json()["messages"][0]["body"], text);
    assert_eq!(shown.json()["messages"][1]["foreign"], true);
    for verb in ["inbox", "read", "tail", "history"] {
        let said = plane.run(&["messages", verb, "b"]);
        assert!(said.code == 0 && said.out.contains("evil"), "{verb}: {}", said.err);
        assert!(!said.out.contains(['\u{1b}', '\u{202e}', '\u{7}', '\r']), "{verb}: {:?}", said.out);
    }
}

#[test]
fn bad_names_kinds_and_times_are_refused_before_anything_is_sent() {
    let plane = Plane::start();
    let long = "x".repeat(65_537);
    for bad in [
        &["send", "b:c", "x", "--from", "a"][..],
        &["send", "b", "x"],
        &["send", "b", "x", "--from", "*"],
        &["send", "b", "x", "--from", "a", "--kind", "a b"],
        &["send", "b", "x", "--from", "a", "--thread", "{t}"],
        &["send", "b", "x", "--from", "a", "--ack-by", "soon"],
        &["send", "b", "x", "--from", "a", "--ack-by", "0s"],
        &["send", "b", "x", "--from", "a", "--blob", "[1]"],
        &["send", "b", &long, "--from", "a"],
        &["inbox", "b", "--limit", "0"],
        &["read", "index"],
        &["ack", "b", "m:1"],
    ] {
        let said = plane.run(&[&["messages"], bad].concat());
        assert_eq!(said.code, 2, "{bad:.60?}: {}{}", said.out, said.err);
    }
    assert_eq!(plane.run(&["messages", "inbox", "b", "-o", "json"]).json()["waiting"], 0);
}

#[test]
fn following_shows_what_arrives() {
    let plane = Plane::start();
    sent(&plane, "b", "before", &[]);
    let mut command = quorate(&["messages", "tail", "b", "--follow", "-o", "ndjson", "--data-dir"]);
    command.arg(&plane.dir).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<serde_json::Value>(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next()["body"], "before");
    let id = sent(&plane, "b", "after", &[]);
    assert_eq!((&next()["id"], true), (&id.as_str().into(), true));
    child.kill().unwrap();
    child.wait().unwrap();
}
