//! `quorate locks`: outcomes, exit codes, signals and hostile names.

use std::process::{Child, Stdio};
use std::time::Duration;

use crate::support::{Plane, is_alive, kill, quorate, until};

fn plane(agents: &[&str]) -> Plane {
    let plane = Plane::start();
    for agent in agents {
        assert_eq!(plane.run(&["agents", "register", agent]).code, 0);
    }
    plane
}

fn token(plane: &Plane, agent: &str, on: &str) -> String {
    let said = plane.run(&["locks", "acquire", on, "--agent", agent, "-o", "json"]);
    assert_eq!((said.code, &said.json()["outcome"]), (0, &"granted".into()), "{}", said.out);
    assert!(said.json()["expires_at"].as_str().is_some_and(|at| at.ends_with('Z')));
    said.json()["token"].to_string()
}

#[test]
fn a_lock_is_granted_refused_renewed_and_released() {
    let plane = plane(&["a", "b"]);
    let held = token(&plane, "a", "task:t1");
    let refused = plane.run(&["locks", "acquire", "task:t1", "--agent", "b", "-o", "json"]);
    assert_eq!(refused.code, 4);
    assert_eq!((&refused.json()["outcome"], &refused.json()["holder"]), (&"refused".into(), &"a".into()));
    assert!(refused.json()["reason"].is_string() && refused.json()["next"].is_string());
    let timed_out =
        plane.run(&["locks", "acquire", "task:t1", "--agent", "b", "--wait", "300ms", "-o", "json"]);
    assert_eq!((timed_out.code, &timed_out.json()["outcome"]), (124, &"timed_out".into()));
    let queued = plane
        .run(&["locks", "acquire", "task:t1", "--agent", "b", "--wait", "60s", "--detach", "-o", "json"]);
    assert_eq!((queued.code, &queued.json()["position"]), (0, &1.into()));
    let renewed = plane.run(&["locks", "renew", "task:t1", "--agent", "a", "--token", &held, "-o", "json"]);
    assert_eq!((renewed.code, &renewed.json()["outcome"]), (0, &"renewed".into()));
    assert_eq!(plane.run(&["locks", "renew", "task:t1", "--agent", "b", "--token", &held]).code, 4);
    assert_eq!(plane.run(&["locks", "release", "task:t1", "--agent", "a", "--token", "1"]).code, 4);
    assert_eq!(plane.run(&["locks", "release", "task:t1", "--agent", "a", "--token", &held]).code, 0);
    let shown = plane.run(&["locks", "show", "task:t1", "-o", "json"]).json();
    assert_eq!(shown["holders"][0]["agent"], "b", "the waiter has it: {shown}");
    let listed = plane.run(&["locks", "ls", "-o", "json"]).json();
    assert_eq!((&listed[0]["lock"], &listed[0]["agent"]), (&"task:t1".into(), &"b".into()));
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn several_files_are_all_or_none() {
    let plane = plane(&["a", "b"]);
    token(&plane, "a", "file:src/b.rs");
    let both =
        plane.run(&["locks", "acquire", "file:src/a.rs", "file:./src//b.rs", "--agent", "b", "-o", "json"]);
    assert_eq!(both.code, 4);
    let free = plane.run(&["locks", "show", "file:src/a.rs", "-o", "json"]).json();
    assert_eq!(free["holders"], serde_json::json!([]), "nothing stays behind");
    let listed = plane.run(&["locks", "ls", "-o", "json"]).json();
    assert_eq!(listed[0]["lock"], "file:src/b.rs", "it can be typed back");
}

/// Nobody can say then whether the lock is still held, so the command must not go on.
#[test]
fn a_command_ends_when_the_store_is_away_for_longer_than_its_lock_lasts() {
    let plane = plane(&["a"]);
    let mut command = quorate(&["locks", "run", "name:x", "--agent", "a", "--ttl", "1500ms", "--data-dir"]);
    command.arg(&plane.dir).args(["--", "sleep", "60"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    until("it holds the lock", Duration::from_secs(5), || {
        plane.run(&["locks", "show", "name:x", "-o", "json"]).json()["holders"][0]["agent"] == "a"
    });
    let engine = plane.engine_pid();
    kill(engine, "STOP");
    let ended =
        until("the command is ended", Duration::from_secs(15), || child.try_wait().unwrap().is_some());
    kill(engine, "CONT");
    assert_eq!(child.wait().unwrap().code(), Some(4), "after {ended:?}");
}

#[test]
fn a_guarded_write_and_a_command_need_the_lock() {
    let plane = plane(&["a"]);
    let held = token(&plane, "a", "name:deploy");
    let write = |token: &str| {
        plane.run(&[
            "locks",
            "guard",
            "name:deploy",
            "--token",
            token,
            "-o",
            "json",
            "--",
            "SET",
            "metrics:x",
            "1",
        ])
    };
    assert_eq!((write(&held).code, write("1").code), (0, 4));
    assert_eq!(
        plane.run(&["locks", "guard", "name:deploy", "--token", &held, "--", "FLUSHALL", "x"]).code,
        2
    );
    let ran = plane.run(&[
        "locks",
        "run",
        "name:other",
        "--agent",
        "a",
        "--",
        "sh",
        "-c",
        "test -n \"$QUORATE_TOKEN\" && exit 7",
    ]);
    assert_eq!(ran.code, 7, "{}", ran.err);
    assert_eq!(
        plane.run(&["locks", "show", "name:other", "-o", "json"]).json()["holders"],
        serde_json::json!([])
    );
}

#[test]
fn a_command_ends_when_its_lock_is_lost() {
    let plane = plane(&["a"]);
    let mut command = quorate(&["locks", "run", "name:x", "--agent", "a", "--ttl", "600ms", "--data-dir"]);
    command.arg(&plane.dir).args(["--", "sleep", "60"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    until("it holds the lock", Duration::from_secs(5), || {
        plane.run(&["locks", "show", "name:x", "-o", "json"]).json()["holders"][0]["agent"] == "a"
    });
    assert_eq!(plane.run(&["agents", "revoke", "a"]).code, 0);
    let ended = until("the command is ended", Duration::from_secs(5), || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(4), "after {ended:?}");
}

#[test]
fn a_detached_place_is_given_up_and_a_write_that_did_nothing_says_so() {
    let plane = plane(&["a", "b"]);
    let held = token(&plane, "a", "name:deploy");
    let line = |line: &str| plane.run(&line.split(' ').collect::<Vec<_>>());
    let queued = line("locks acquire name:deploy --agent b --wait 1m --detach -o json").json();
    let request = queued["request"].as_str().unwrap().to_owned();
    assert!(line("locks show name:deploy").out.contains(&request), "people see what to name");
    let cancel = format!("locks cancel name:deploy --request {request} -o json");
    let given_up = line(&cancel);
    assert_eq!((given_up.code, &given_up.json()["outcome"]), (0, &serde_json::json!("cancelled")));
    let again = line(&cancel);
    assert_eq!((again.code, &again.json()["code"]), (3, &serde_json::json!("no_request")));
    assert_eq!(line("locks cancel name:deploy --request \u{1b}[2J").code, 2);
    let queued = line("locks acquire name:deploy --agent b --wait 1m --detach -o json").json();
    assert_eq!(line(&format!("locks release name:deploy --agent a --token {held}")).code, 0);
    let late =
        line(&format!("locks cancel name:deploy --request {} -o json", queued["request"].as_str().unwrap()));
    let token = &late.json()["token"];
    assert_eq!((late.code, &late.json()["code"]), (4, &serde_json::json!("already_granted")));
    let write = format!("locks guard name:deploy --token {token} -o json -- HSETNX metrics:x f 1");
    assert_eq!(line(&write).json()["outcome"], "written");
    let unchanged = line(&write);
    assert_eq!(
        (unchanged.code, unchanged.json()),
        (0, serde_json::json!({ "outcome": "unchanged", "reply": "0" }))
    );
    assert_eq!(line(&write.replace(" -o json", "")).out.trim(), "unchanged: 0");
}

#[test]
fn a_signal_gives_up_the_place_in_the_queue() {
    let plane = plane(&["a", "b"]);
    token(&plane, "a", "name:x");
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let mut command =
            quorate(&["locks", "acquire", "name:x", "--agent", "b", "--wait", "60s", "--data-dir"]);
        let mut child = command.arg(&plane.dir).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let waiting = || plane.run(&["locks", "show", "name:x", "-o", "json"]).json()["waiting"].clone();
        until("it waits", Duration::from_secs(5), || waiting() == 1);
        kill(child.id(), signal);
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert_eq!(waiting(), 0, "{signal}");
    }
}

#[test]
fn a_command_that_is_told_to_end_gives_its_lock_back() {
    let plane = plane(&["a"]);
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let mut command = quorate(&["locks", "run", "name:x", "--agent", "a", "--ttl", "60s", "--data-dir"]);
        command.arg(&plane.dir).args(["--", "sleep", "60"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let holders = || plane.run(&["locks", "show", "name:x", "-o", "json"]).json()["holders"].clone();
        until("it holds the lock", Duration::from_secs(5), || holders()[0]["agent"] == "a");
        // The command is started after the lock was taken.
        std::thread::sleep(Duration::from_millis(300));
        kill(child.id(), signal);
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert_eq!(holders(), serde_json::json!([]), "{signal}");
    }
}

/// Starts a command under `name:x` as agent `a`, which writes the number of a process into the file, and waits for that.
fn start(plane: &Plane, ttl: &str, script: &str) -> (Child, u32) {
    let file = plane.dir.join("process");
    let mut command = quorate(&["locks", "run", "name:x", "--agent", "a", "--ttl", ttl, "--data-dir"]);
    command.arg(&plane.dir).args(["--", "sh", "-c", script, "sh"]).arg(&file);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let read = || std::fs::read_to_string(&file).ok()?.trim().parse::<u32>().ok();
    until("it runs", Duration::from_secs(10), || read().is_some());
    (child, read().unwrap())
}

/// What a command has started would go on without the lock, however the command itself ends.
#[test]
fn a_command_that_lost_its_lock_ends_with_everything_it_has_started() {
    let plane = plane(&["a"]);
    let (mut child, started) = start(&plane, "600ms", "sleep 60 & echo $! > $1; wait");
    assert_eq!(plane.run(&["agents", "revoke", "a"]).code, 0);
    let ended = until("the command is ended", Duration::from_secs(4), || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(4), "after {ended:?}");
    until("what it started has ended", Duration::from_secs(1), || !is_alive(started));
}

/// Nobody renews its lock any more.
#[cfg(target_os = "linux")]
#[test]
fn a_command_whose_runner_is_killed_ends_too() {
    let plane = plane(&["a"]);
    let (mut child, started) = start(&plane, "60s", "echo $$ > $1; exec sleep 60");
    kill(child.id(), "KILL");
    child.wait().unwrap();
    until("the command has ended", Duration::from_secs(5), || !is_alive(started));
}

#[test]
fn a_command_that_takes_its_time_to_end_has_its_lock_until_then() {
    let plane = plane(&["a"]);
    let holders = || plane.run(&["locks", "show", "name:x", "-o", "json"]).json()["holders"].clone();
    let (mut child, _) = start(&plane, "900ms", "trap 'sleep 3; exit 0' TERM; echo $$ > $1; sleep 60 & wait");
    kill(child.id(), "TERM");
    std::thread::sleep(Duration::from_millis(1_800));
    assert_eq!((holders()[0]["agent"].as_str(), child.try_wait().unwrap()), (Some("a"), None));
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(holders(), serde_json::json!([]));
}

/// What an agent holds ends with its own lease, so that has to be kept too, however long the lock itself lasts.
#[test]
fn a_command_has_its_lock_although_its_agents_lease_is_shorter() {
    let plane = plane(&["b"]);
    assert_eq!(plane.run(&["agents", "register", "a", "--lease", "1s"]).code, 0);
    let (mut child, _) = start(&plane, "60s", "echo $$ > $1; sleep 3");
    std::thread::sleep(Duration::from_millis(1_800));
    assert_eq!(plane.run(&["locks", "acquire", "name:x", "--agent", "b"]).code, 4);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// As every shell says it, so that whoever looks at the code knows that the command has not run.
#[test]
fn a_command_that_cannot_be_started_is_127_or_126_and_holds_nothing() {
    let plane = plane(&["a"]);
    let file = plane.dir.join("no-program");
    std::fs::write(&file, "#!/bin/sh\n").unwrap();
    let (file, dir) = (file.to_str().unwrap(), plane.dir.to_str().unwrap());
    for (command, code) in
        [("no-such-command\u{1b}", 127), ("/no/such/file", 127), ("", 127), (file, 126), (dir, 126)]
    {
        let ran = plane.run(&["locks", "run", "name:x", "name:y", "--agent", "a", "--", command]);
        assert_eq!(ran.code, code, "{command:?}: {}", ran.err);
        assert!(ran.err.contains("did not start") && !ran.err.contains('\u{1b}'), "{}", ran.err);
        for on in ["name:x", "name:y"] {
            let shown = plane.run(&["locks", "show", on, "-o", "json"]).json();
            assert_eq!(shown["holders"], serde_json::json!([]), "{command:?} left {on}");
        }
    }
}

/// A command inside another one's lock, by the same agent, does not open it to others.
#[test]
fn a_command_leaves_its_agent_what_it_had_before() {
    let plane = plane(&["a"]);
    let held = token(&plane, "a", "name:x");
    let ran = plane.run(&["locks", "run", "name:x", "name:y", "--agent", "a", "--", "true"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let shown = |on: &str| plane.run(&["locks", "show", on, "-o", "json"]).json()["holders"].clone();
    assert_eq!(shown("name:x")[0]["token"].to_string(), held);
    assert_eq!(shown("name:y"), serde_json::json!([]));
}

/// Scripts export it before they know, and every command then means the current incarnation.
#[test]
fn an_epoch_that_is_empty_is_none() {
    let plane = plane(&["a"]);
    for (epoch, code) in [("", 0), ("1", 4), ("x", 2)] {
        for words in [&["locks", "acquire", "name:x", "--agent", "a"][..], &["agents", "heartbeat", "a"]] {
            let mut command = quorate(words);
            let ran = command.arg("--data-dir").arg(&plane.dir).env("QUORATE_EPOCH", epoch).output().unwrap();
            assert_eq!(ran.status.code(), Some(code), "{words:?} with {epoch:?}");
        }
    }
}

#[test]
fn a_deadlock_is_an_answer() {
    let plane = plane(&["a", "b"]);
    token(&plane, "a", "name:1");
    token(&plane, "b", "task:2");
    let mut command = quorate(&["locks", "acquire", "task:2", "--agent", "a", "--wait", "20s", "--data-dir"]);
    let mut first = command.arg(&plane.dir).stdout(Stdio::null()).spawn().unwrap();
    until("a waits", Duration::from_secs(5), || {
        plane.run(&["locks", "show", "task:2", "-o", "json"]).json()["waiting"] == 1
    });
    let second = plane.run(&["locks", "acquire", "name:1", "--agent", "b", "--wait", "20s", "-o", "json"]);
    assert_eq!((second.code, &second.json()["outcome"]), (4, &"deadlock".into()), "{}", second.out);
    assert_eq!(second.json()["cycle"].as_array().unwrap().len(), 2);
    assert_eq!(plane.run(&["locks", "deadlocks", "-o", "json"]).json()["deadlocks"], serde_json::json!([]));
    kill(first.id(), "TERM");
    first.wait().unwrap();
}

#[test]
fn what_cannot_be_a_lock_or_an_agent_is_bad_input() {
    let plane = plane(&["a"]);
    for on in [
        "",
        "task:",
        "task:a:b",
        "task:index",
        "name:*",
        "name:~q",
        "name:project:x",
        "file:../x",
        "resource:db",
        "project:p:",
        "lock:x",
        "task:a\nb",
        "task:\u{e9}",
        "task:{x}",
        "name:\x1b[2J",
    ] {
        for verb in [
            &["locks", "acquire", on, "--agent", "a"][..],
            &["locks", "show", on],
            &["locks", "release", on, "--agent", "a", "--token", "1"],
        ] {
            let said = plane.run(verb);
            assert_eq!(said.code, 2, "{verb:?}: {}", said.err);
            assert!(said.out.is_empty() && !said.err.contains('\x1b'), "{}", said.err);
        }
    }
    for args in [
        &["--agent", "a:b"][..],
        &["--agent", "index"],
        &["--agent", "a", "--ttl", "0s"],
        &["--agent", "a", "--ttl", "25h"],
        &["--agent", "a", "--wait", "-1s"],
        &["--agent", "a", "--priority", "101"],
        &["--agent", "a", "--shared"],
    ] {
        let said = plane.run(&[&["locks", "acquire", "name:x"], args].concat());
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
    }
    let unknown = plane.run(&["locks", "acquire", "name:x", "--agent", "nobody", "-o", "json"]);
    assert_eq!((unknown.code, &unknown.json()["code"]), (3, &"unregistered".into()));
}
