//! `quorate events`, `observations` and `logs` as their users meet them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Plane, free_port, quorate, redis_cli, said, until};

/// A plane that other Redis clients reach, and where.
fn open_plane() -> (tempfile::TempDir, Plane, String) {
    let home = tempfile::TempDir::new().unwrap();
    let plane = Plane::on(&home.path().join("data"), &["--redis-port", &free_port().to_string()], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    (home, plane, url)
}

#[test]
fn an_event_is_published_read_acknowledged_and_listed() {
    let plane = Plane::start();
    let said = plane.run(&[
        "events",
        "publish",
        "events:all",
        "test:x",
        "{\"n\":1}",
        "--source",
        "me",
        "-o",
        "json",
    ]);
    assert_eq!((said.code, &said.json()["outcome"]), (0, &"published".into()), "{}", said.err);
    let id = said.json()["id"].as_str().unwrap().to_owned();
    let read = plane.run(&["events", "read", "all", "--group", "g", "--consumer", "c", "-o", "json"]).json();
    assert_eq!((&read["outcome"], &read["entries"][0]["id"]), (&"read".into(), &id.as_str().into()));
    assert_eq!(read["entries"][0]["fields"]["payload"], "{\"n\":1}");
    let stale =
        plane.run(&["events", "ack", "all", &id, "--group", "g", "--consumer", "other", "-o", "json"]);
    assert_eq!((stale.code, &stale.json()["outcome"]), (4, &"stale".into()));
    let acked = plane.run(&["events", "ack", "all", &id, "--group", "g", "--consumer", "c", "-o", "json"]);
    assert_eq!((acked.code, &acked.json()["acked"]), (0, &1.into()));
    assert_eq!(plane.run(&["events", "ack", "all", &id, "--group", "nobody"]).code, 3);
    let groups = plane.run(&["events", "groups", "-o", "json"]).json();
    assert_eq!(
        (&groups[0]["stream"], &groups[0]["group"], &groups[0]["state"]),
        (&"events:all".into(), &"g".into(), &"waiting".into())
    );
    let lines = plane.run(&["events", "tail", "all", "-o", "ndjson"]).out;
    assert!(lines.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert_eq!(plane.run(&["events", "losses", "-o", "json"]).json(), serde_json::json!([]));
    assert_eq!(plane.run(&["events", "forget", "all", "g"]).code, 0);
    assert_eq!(plane.run(&["events", "forget", "all", "g"]).code, 3);
    assert_eq!(plane.run(&["events", "publish", "nothing", "x"]).code, 2);
    assert_eq!(plane.run(&["events", "publish", "wake", "x"]).code, 2);
    assert_eq!(plane.run(&["events", "publish", "all", "x", "{not json"]).code, 2);
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

/// S2 with the product as it comes: nobody but `quorate up` runs.
#[test]
fn a_foreign_trim_shows_up_in_the_losses_within_five_seconds() {
    let (_home, plane, url) = open_plane();
    let cli = |line: &str| redis_cli(&url, &line.split(' ').collect::<Vec<_>>());
    cli("XGROUP CREATE events:all old 0 MKSTREAM");
    let fill = |count: usize, options: &str| {
        let script = format!("for i=1,{count} do redis.call('XADD', KEYS[1]{options}, '*', 'n', i) end");
        assert_eq!(redis_cli(&url, &["EVAL", &script, "1", "events:all"]).code, 0);
    };
    fill(10, "");
    cli("XREADGROUP GROUP old c COUNT 10 STREAMS events:all >");
    fill(990, ", 'MAXLEN', '~', '100'");
    let destroyed = Instant::now();
    until("the loss is shown", Duration::from_secs(5), || {
        plane.run(&["events", "losses", "-o", "json"]).json() != serde_json::json!([])
    });
    let losses = plane.run(&["events", "losses", "-o", "json"]).json();
    assert!(destroyed.elapsed() < Duration::from_secs(6));
    let one = &losses[0];
    assert_eq!((&one["stream"], &one["group"]), (&"events:all".into(), &"old".into()));
    assert_eq!((&one["unread"], &one["pending"], &one["exact"]), (&890.into(), &10.into(), &true.into()));
    assert!(plane.run(&["events", "losses", "--log"]).out.contains("foreign"));
    assert!(plane.run(&["events", "ls", "env", "-o", "json"]).out.contains("stream:loss"));
}

#[test]
fn what_the_plane_does_is_on_record() {
    let home = tempfile::TempDir::new().unwrap();
    let dir = home.path().join("data");
    let mut plane = Plane::on(&dir, &[], &[]);
    let events = |plane: &Plane| plane.run(&["events", "ls", "reverie:env:log", "-o", "json"]).out;
    until("the start is on record", Duration::from_secs(5), || {
        let said = events(&plane);
        said.contains("plane:started") && said.contains("plane:configuration")
    });
    let warned = serde_json::from_str::<serde_json::Value>(&events(&plane)).unwrap();
    let warned: Vec<_> =
        warned.as_array().unwrap().iter().filter(|one| one["fields"]["level"] == "warn").collect();
    assert_eq!(warned, Vec::<&serde_json::Value>::new(), "a start is no warning");
    crate::support::kill(plane.engine_pid(), "KILL");
    until("the engine's death is on record", Duration::from_secs(10), || {
        let said = events(&plane);
        said.contains("ended unexpectedly") && said.contains("is back")
    });
    plane.signal("TERM");
    assert_eq!(plane.wait(), 0);
    let again = Plane::on(&dir, &[], &[]);
    assert!(events(&again).contains("plane:stopped"));
}

#[test]
fn a_follower_hears_of_events_and_of_its_gap() {
    let (_home, plane, url) = open_plane();
    plane.run(&["events", "publish", "task", "first"]);
    let mut command = quorate(&["events", "tail", "task", "--follow", "-o", "ndjson", "--data-dir"]);
    let mut child = command.arg(&plane.dir).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (send, heard) = std::sync::mpsc::channel();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || stdout.lines().map_while(Result::ok).for_each(|line| drop(send.send(line))));
    let next = || heard.recv_timeout(Duration::from_secs(8)).expect("a line");
    assert!(next().contains("first"));
    plane.run(&["events", "publish", "task", "second"]);
    assert!(next().contains("second"));
    let burst =
        "for i=1,50 do redis.call('XADD', KEYS[1], 'MAXLEN', '=', '3', '*', 'event', 'burst', 'n', i) end";
    assert_eq!(redis_cli(&url, &["EVAL", burst, "1", "ade:events:task"]).code, 0);
    let gap: serde_json::Value = serde_json::from_str(&next()).unwrap();
    assert_eq!(gap["gap"]["lost"], 47);
    assert!((48..=50).all(|n| next().contains(&format!("\"{n}\""))));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn an_observation_is_let_in_once_and_a_wake_is_recorded_before_its_command() {
    let plane = Plane::start();
    let first = plane.run(&["observations", "submit", "disk is full", "--topic", "disk", "-o", "json"]);
    assert_eq!((first.code, &first.json()["outcome"]), (0, &"accepted".into()));
    let again = plane.run(&["observations", "submit", "disk is full", "--topic", "disk", "-o", "json"]);
    assert_eq!((again.code, &again.json()["reason"]), (4, &"duplicate".into()));
    let dead = plane.run(&["observations", "ls", "--dead", "-o", "json"]).json();
    assert_eq!(dead[0]["fields"]["reason"], "duplicate");
    let read = plane.run(&["observations", "read", "--consumer", "c", "-o", "json"]).json();
    let id = read["entries"][0]["id"].as_str().unwrap();
    let reject =
        |reason: &str| plane.run(&["observations", "reject", id, "--consumer", "c", "--reason", reason]).code;
    assert_eq!((reject("odd"), reject("again")), (0, 4));
    let dead = dead[0]["id"].as_str().unwrap();
    assert_eq!(
        (plane.run(&["observations", "drop", dead]).code, plane.run(&["observations", "revive", dead]).code),
        (0, 3)
    );
    let wake = plane.run(&[
        "events",
        "wake",
        "worker",
        "--waker",
        "me",
        "--method",
        "process_signal",
        "--reason",
        "silent",
        "--",
        "sh",
        "-c",
        "exit 7",
    ]);
    assert_eq!(wake.code, 7, "{}", wake.err);
    assert!(plane.run(&["events", "ls", "wake", "-o", "json"]).out.contains("\"waker\": \"me\""));
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

fn pipe(command: &mut Command, input: &[u8]) -> crate::support::Said {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    said(child.wait_with_output().unwrap())
}

#[test]
fn lines_are_piped_with_their_level_and_followed_in_order() {
    let plane = Plane::start();
    let mut command = quorate(&["logs", "pipe", "coord", "-o", "json", "--data-dir"]);
    let said = pipe(command.arg(&plane.dir), b"starting\nWARN slow\n\nfatal: \xff\x1b[2J gone\n");
    assert_eq!(
        (said.code, &said.json()["sent"], &said.json()["dropped"]),
        (0, &3.into(), &0.into()),
        "{}",
        said.err
    );
    let sent =
        plane.run(&["logs", "emit", "web", "hello", "--level", "error", "--field", "user=ada", "-o", "json"]);
    assert_eq!((sent.code, &sent.json()["outcome"]), (0, &"sent".into()));
    let all = plane.run(&["logs", "tail", "-o", "json"]).json();
    let levels: Vec<&str> =
        all.as_array().unwrap().iter().map(|one| one["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["info", "warn", "error", "error"]);
    assert_eq!((&all[3]["service"], &all[3]["fields"]["user"]), (&"web".into(), &"ada".into()));
    assert!(
        !plane.run(&["logs", "tail"]).out.contains('\x1b'),
        "what was logged does not steer the terminal"
    );
    let some = plane.run(&["logs", "tail", "coord", "--level", "warn", "--grep", "GONE", "-o", "ndjson"]).out;
    assert_eq!(some.lines().count(), 1);
    let services = plane.run(&["logs", "ls", "-o", "json"]).json();
    assert_eq!((&services[0]["service"], &services[0]["records"]), (&"coord".into(), &3.into()));
    assert_eq!(plane.run(&["logs", "emit", "a*b", "x"]).code, 2);
}

/// A dead store keeps nobody waiting and breaks nobody's pipe.
#[test]
fn a_dead_store_does_not_hold_up_a_pipe() {
    let port = free_port();
    let home = tempfile::TempDir::new().unwrap();
    let input = "a line of some length that is logged\n".repeat(50_000);
    for away in [
        vec!["--redis-url".to_owned(), format!("redis://127.0.0.1:{port}")],
        vec!["--data-dir".to_owned(), home.path().display().to_string()],
    ] {
        let mut command = quorate(&["logs", "pipe", "coord", "-o", "json"]);
        let began = Instant::now();
        let said = pipe(command.args(&away), input.as_bytes());
        assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
        assert_eq!(
            (said.code, &said.json()["lines"], &said.json()["dropped"]),
            (0, &50_000.into(), &50_000.into()),
            "{}",
            said.err
        );
        assert!(said.err.contains("50000 of 50000 records were dropped"), "{}", said.err);
    }
}
