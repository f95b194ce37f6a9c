//! `quorate agents`, verb by verb: what it answers, and with which exit code.

use serde_json::{Value, json};

use crate::bad_input::HOSTILE;
use crate::support::{Plane, Said, free_port, quorate, redis_cli, said, until};

/// Runs `quorate agents …` with JSON as the answer.
fn agents(plane: &Plane, args: &[&str]) -> Said {
    plane.run(&[&["agents"], args, &["-o", "json"]].concat())
}

fn done(plane: &Plane, args: &[&str]) -> Value {
    let said = agents(plane, args);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{args:?}: {}", said.out);
    said.json()
}

fn refused(plane: &Plane, args: &[&str], exit: i32, code: &str) {
    let said = agents(plane, args);
    let json = said.json();
    assert_eq!(
        (said.code, &json["outcome"], &json["code"]),
        (exit, &json!("refused"), &json!(code)),
        "{args:?}"
    );
    assert!(["reason", "next"].iter().all(|part| json[part].is_string()), "{json}");
}

fn epoch(plane: &Plane, id: &str) -> String {
    done(plane, &["register", id])["epoch"].as_u64().unwrap().to_string()
}

#[test]
fn an_agent_from_its_registration_to_its_end() {
    let plane = Plane::start();
    let words = [
        "register",
        "w1",
        "--type",
        "planner",
        "--role",
        "coder",
        "--task",
        "build",
        "--capability",
        "rust",
        "--capability",
        "lua",
        "--max-tasks",
        "3",
        "--lease",
        "90s",
        "--blob",
        r#"{"a":1}"#,
    ];
    let registered = done(&plane, &words);
    assert_eq!(registered["outcome"], "registered");
    let lease = registered["lease_until"].as_str().unwrap();
    assert!(lease.ends_with('Z') && lease.contains('T'), "{lease}");
    let first = registered["epoch"].as_u64().unwrap();

    let beat = done(&plane, &["heartbeat", "w1", "--epoch", &first.to_string()]);
    assert_eq!(
        (&beat["outcome"], &beat["messages"], &beat["drain"]),
        (&json!("acked"), &json!(0), &Value::Null)
    );
    assert_eq!(done(&plane, &["heartbeat", "w1", "--poke"])["outcome"], "poked");

    let status = ["update", "w1", "--status", "in_progress", "--blob", r#"{"b":2}"#, "--merge-blob"];
    assert_eq!(done(&plane, &status)["outcome"], "updated");
    let shown = done(&plane, &["show", "w1"]);
    assert_eq!(shown["blob"], json!({ "a": 1, "b": 2 }));
    assert_eq!((&shown["label"], &shown["status"]), (&json!("online"), &json!("in_progress")));
    assert_eq!((&shown["role"], &shown["capabilities"]), (&json!("coder"), &json!(["rust", "lua"])));
    assert_eq!(shown["capacity"]["max_tasks"], 3);

    let second = done(&plane, &["register", "w1"])["epoch"].as_u64().unwrap();
    assert!(second > first);
    assert_eq!(done(&plane, &["show", "w1"])["role"], "coder");
    refused(&plane, &["heartbeat", "w1", "--epoch", &first.to_string()], 4, "stale_epoch");
    refused(&plane, &["update", "w1", "--task", "x", "--epoch", &first.to_string()], 4, "stale_epoch");
    refused(&plane, &["deregister", "w1", "--epoch", &first.to_string()], 4, "stale_epoch");

    assert_eq!(done(&plane, &["drain", "w1", "--reason", "new version"])["outcome"], "draining");
    assert_eq!(done(&plane, &["heartbeat", "w1"])["drain"], "new version");
    let left = done(&plane, &["deregister", "w1"]);
    assert_eq!((&left["outcome"], left["epoch"].as_u64()), (&json!("deregistered"), Some(second)));
    for verb in [
        &["heartbeat", "w1"][..],
        &["heartbeat", "w1", "--poke"],
        &["update", "w1", "--task", "x"],
        &["drain", "w1"],
        &["deregister", "w1"],
    ] {
        refused(&plane, verb, 3, "unregistered");
    }
    refused(&plane, &["show", "nobody"], 3, "unregistered");
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn a_revoked_agent_is_denied_and_a_ban_can_be_lifted() {
    let plane = Plane::start();
    let old = epoch(&plane, "w1");
    let revoked = done(&plane, &["revoke", "w1"]);
    assert_eq!((&revoked["outcome"], revoked["epoch"].to_string()), (&json!("revoked"), old.clone()));
    refused(&plane, &["heartbeat", "w1"], 5, "revoked");
    refused(&plane, &["update", "w1", "--task", "x", "--epoch", &old], 5, "revoked");
    epoch(&plane, "w1");
    refused(&plane, &["revoke", "w1", "--epoch", &old], 4, "stale_epoch");
    assert_eq!(done(&plane, &["revoke", "w1", "--ban", "leaks"])["banned"], "leaks");
    refused(&plane, &["register", "w1"], 5, "banned");
    assert!(plane.run(&["agents", "ls"]).out.contains("banned"));
    assert_eq!(done(&plane, &["revoke", "w1", "--lift"])["was_banned"], true);
    epoch(&plane, "w1");
    refused(&plane, &["revoke", "nobody"], 3, "unregistered");
    refused(&plane, &["revoke", "nobody", "--lift"], 3, "unregistered");
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

/// A sub-agent inherits its parent's environment, and must neither overwrite it nor be taken for it.
#[test]
fn a_sub_agent_has_an_id_of_its_own() {
    let plane = Plane::start();
    let parent = epoch(&plane, "w1");
    let with_epoch = |args: &[&str]| {
        let mut command = quorate(&[&["agents"], args, &["-o", "json", "--data-dir"]].concat());
        said(command.arg(&plane.dir).env("QUORATE_EPOCH", &parent).output().unwrap())
    };
    let sub = with_epoch(&["register", "w1", "--as-subagent", "lint", "--task", "lint"]).json();
    assert_eq!((&sub["agent"], &sub["parent"]), (&json!("w1-sub-lint"), &json!("w1")));
    let shown = done(&plane, &["show", "w1"]);
    assert_eq!(
        (shown["epoch"].to_string(), shown.get("task")),
        (parent.clone(), None),
        "the parent is as it was"
    );
    assert_eq!(done(&plane, &["show", "w1-sub-lint"])["parent"], "w1");
    assert_eq!(
        with_epoch(&["register", "w1"]).json()["epoch"].to_string(),
        parent,
        "the same incarnation again"
    );
    assert_eq!(with_epoch(&["heartbeat", "w1"]).code, 0);
    assert_eq!(with_epoch(&["heartbeat", "w1-sub-lint", "--poke"]).code, 0, "no epoch is looked at");
    epoch(&plane, "w1");
    assert_eq!(with_epoch(&["heartbeat", "w1"]).code, 4, "QUORATE_EPOCH is stale now");
    let mut command = quorate(&["agents", "heartbeat", "w1", "--data-dir"]);
    assert_eq!(said(command.arg(&plane.dir).env("QUORATE_EPOCH", "many").output().unwrap()).code, 2);
    for bad in [&["--parent", "p"][..], &["--epoch", "1"]] {
        let args = [&["agents", "register", "w1", "--as-subagent", "x"], bad].concat();
        assert_eq!(plane.run(&args).code, 2, "{bad:?}");
    }
    for name in ["", "a b", "a:b", &"x".repeat(125)] {
        assert_eq!(plane.run(&["agents", "register", "w1", "--as-subagent", name]).code, 2, "{name}");
    }
    assert_eq!(plane.run(&["agents", "register", "w1", "--parent", "w1"]).code, 2);
}

#[test]
fn lists_are_paged_filtered_and_fit_the_terminal() {
    let plane = Plane::start();
    for n in 0..5 {
        let (id, role) = (format!("w{n}"), if n < 3 { "coder" } else { "reviewer" });
        let hostile = "\x1b]0;owned\x07 a very long task that goes on and on and on and on and on";
        done(&plane, &["register", &id, "--role", role, "--capability", "rust", "--task", hostile]);
    }
    let mut seen = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut args = vec!["ls", "--limit", "2"];
        args.extend(cursor.iter().flat_map(|cursor| ["--cursor", cursor.as_str()]));
        let page = done(&plane, &args);
        seen.extend(
            page["agents"]
                .as_array()
                .unwrap()
                .iter()
                .map(|agent| agent["agent"].as_str().unwrap().to_owned()),
        );
        cursor = page["cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["w0", "w1", "w2", "w3", "w4"]);
    let count = |args: &[&str]| done(&plane, args)["agents"].as_array().unwrap().len();
    assert_eq!(count(&["ls", "--role", "coder", "--live"]), 3);
    assert_eq!(count(&["ls", "--capability", "rust"]), 5);
    assert_eq!(count(&["ls", "--capability", "rust", "--role", "reviewer"]), 2);
    assert_eq!(count(&["ls", "--role", "nobody"]), 0);
    assert_eq!(plane.run(&["agents", "ls", "-o", "ndjson"]).out.lines().count(), 5);
    let more = plane.run(&["agents", "ls", "--limit", "1"]);
    assert!(more.err.contains("--cursor "), "{}", more.err);
    let mut command = quorate(&["agents", "ls", "--data-dir"]);
    let table = said(command.arg(&plane.dir).env("COLUMNS", "80").output().unwrap());
    assert!(
        table.out.lines().all(|line| line.chars().count() <= 80) && !table.out.contains('\x1b'),
        "{}",
        table.out
    );
    assert!(!plane.run(&["agents", "show", "w0"]).out.contains('\x1b'));
    for bad in [
        &["--limit", "0"][..],
        &["--limit", "1001"],
        &["--cursor", "x"],
        &["--role", "a b"],
        &["--cursor", "nan/a"],
    ] {
        assert_eq!(plane.run(&[&["agents", "ls"], bad].concat()).code, 2, "{bad:?}");
    }
}

#[test]
fn hostile_names_are_refused_by_every_verb_and_write_nothing() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    let verbs: [&[&str]; 8] = [
        &["register"],
        &["heartbeat"],
        &["heartbeat", "--poke"],
        &["show"],
        &["update", "--task", "x"],
        &["drain"],
        &["deregister"],
        &["revoke"],
    ];
    let long = "x".repeat(129);
    let names = HOSTILE.iter().copied().chain(["", "index", "__global__", "-rf", "--help", long.as_str()]);
    for name in names {
        for verb in verbs {
            let mut command = quorate(&["agents"]);
            command.args(verb).args(["-o", "json", "--data-dir"]).arg(&plane.dir).args(["--", name]);
            let said = said(command.output().unwrap());
            assert_eq!(said.code, 2, "{verb:?} {name:?}: {}", said.out);
            assert!(said.err.contains("cannot be a name of kind agent"), "{}", said.err);
            assert!(
                said.out.is_empty() && !said.err.contains('\x1b') && said.err.len() < 600,
                "{}",
                said.err
            );
        }
    }
    let keys = redis_cli(&url, &["KEYS", "*"]).out;
    // What the plane writes by itself: its record, its log, its login link and the jobs that it runs.
    let own = |key: &str| {
        let kept =
            ["~q:quorate:", "reverie:env:log", "~q:ade:invite:", "~q:ade:job:", "~q:ade:runs:", "ade:job:"];
        kept.iter().any(|start| key.starts_with(start))
    };
    assert!(keys.lines().all(own), "only the plane's own records: {keys}");
}

#[test]
fn bad_values_are_exit_2_with_the_reason_and_no_raw_bytes() {
    let plane = Plane::start();
    epoch(&plane, "w1");
    let before = done(&plane, &["show", "w1"]);
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000), "]".repeat(1_000));
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(70_000));
    let cases: Vec<Vec<&str>> = vec![
        vec!["update", "w1"],
        vec!["update", "w1", "--merge-blob"],
        vec!["update", "w1", "--merge-blob", "--task", "x"],
        vec!["update", "w1", "--status", "started"],
        vec!["update", "w1", "--status", "\x1b[2J"],
        vec!["update", "w1", "--blob", "[]"],
        vec!["update", "w1", "--blob", "null"],
        vec!["update", "w1", "--blob", "3"],
        vec!["update", "w1", "--blob", "{\"a\":1,\"a\":2}"],
        vec!["update", "w1", "--blob", &deep],
        vec!["update", "w1", "--blob", &long],
        vec!["update", "w1", "--task", "x", "--epoch", "-1"],
        vec!["register", "w1", "--blob", "\"x\""],
        vec!["register", "w1", "--lease", "0s"],
        vec!["register", "w1", "--lease", "500ms"],
        vec!["register", "w1", "--lease", "25h"],
        vec!["register", "w1", "--lease", "60"],
        vec!["register", "w1", "--lease", "\x1b]0;x\x07"],
        vec!["register", "w1", "--max-tasks", "-1"],
        vec!["register", "w1", "--max-tasks", "1e3"],
        vec!["register", "w1", "--capability", "a b"],
        vec!["register", "w1", "--role", "*"],
        vec!["register", "w1", "--parent", "a:b"],
        vec!["register", "w1", "--session", "w2"],
        vec!["heartbeat", "w1", "--poke", "--epoch", "1"],
        vec!["deregister", "w1", "--session", "w2"],
        vec!["revoke", "w1", "--ban", ""],
        vec!["revoke", "w1", "--ban", "x", "--lift"],
    ];
    for args in cases {
        let said = agents(&plane, &args);
        assert_eq!(said.code, 2, "{args:?}: {}{}", said.out, said.err);
        assert!(said.out.is_empty() && !said.err.is_empty(), "{args:?}");
        assert!(!said.err.contains('\x1b') && said.err.len() < 3_000, "{args:?}: {}", said.err);
    }
    assert_eq!(done(&plane, &["show", "w1"]), before, "nothing was changed");
}

#[test]
fn the_plane_takes_agents_whose_lease_ended_out_of_the_leases() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    done(&plane, &["register", "w1", "--lease", "1s", "--max-tasks", "1"]);
    let gone = || redis_cli(&url, &["ZSCORE", "~q:reverie:leases", "w1"]).out.trim().is_empty();
    assert!(!gone());
    until("its lease has ended", std::time::Duration::from_secs(4), gone);
    assert_eq!(done(&plane, &["show", "w1"])["capacity"]["status"], "offline");
    assert_eq!(done(&plane, &["heartbeat", "w1"])["outcome"], "acked");
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn a_fault_of_maintenance_is_said_once() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port().to_string();
    let mut plane = Plane::on(home.path(), &["--redis-port", &port], &[]);
    let url = plane.run(&["url"]).out.trim().to_owned();
    redis_cli(&url, &["SET", "~q:reverie:leases", "wrong"]);
    // What a turn says first; where the key changed in the middle of one, something later in it spoke before.
    plane.wait_for("warning: maintenance: STORE021 ZRANGEBYSCORE");
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    redis_cli(&url, &["DEL", "~q:reverie:leases"]);
    let heard = plane.heard_until("maintenance goes on");
    assert!(heard.iter().all(|line| !line.contains("warning")), "{heard:?}");
}
