//! `quorate backup` and `quorate restore` as a person runs them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use quorate_engine::{Binary, Node, NodeOptions};
use serde_json::Value;

fn server() -> Node {
    Node::start(NodeOptions::new(&Binary::choose().unwrap()).unwrap()).unwrap()
}

fn quorate(server: &Node, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quorate"));
    command.args(words).env("REDIS_URL", server.url().reveal()).env_remove("QUORATE_NAMESPACE");
    command
}

fn run(server: &Node, words: &[&str]) -> Output {
    quorate(server, words).output().unwrap()
}

fn json(server: &Node, words: &[&str]) -> Value {
    let out = run(server, &[words, &["-o", "json"]].concat());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

fn refusal(server: &Node, words: &[&str]) -> (i32, String) {
    let out = run(server, words);
    assert_eq!(out.stdout, b"");
    (out.status.code().unwrap(), String::from_utf8(out.stderr).unwrap())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_backup_is_taken_and_restored_and_both_say_so() {
    let (source, target, folder) = (server(), server(), tempfile::tempdir().unwrap());
    source.call(&["SET", "a", "1"]).unwrap();
    let file = folder.path().join("store.qbak");
    let saved = json(&source, &["backup", text(&file)]);
    assert_eq!(
        (&saved["outcome"], &saved["keys"], &saved["shards"]),
        (&"saved".into(), &1.into(), &1.into())
    );
    assert_eq!(saved["bytes"], fs::metadata(&file).unwrap().len());
    let restored = json(&target, &["restore", text(&file)]);
    assert_eq!(
        (&restored["outcome"], &restored["keys"], &restored["verified"]),
        (&"restored".into(), &1.into(), &true.into())
    );
    assert_eq!(restored["fsck"]["findings"], Value::Array(vec![]));
    assert_eq!(target.call(&["GET", "a"]).unwrap().text(), "1");
}

#[test]
fn refusals_are_one_sentence_with_their_exit_code() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    server.call(&["SET", "a", "1"]).unwrap();
    let file = folder.path().join("store.qbak");
    let expect = |words: &[&str], code: i32, says: &str| {
        let (exit, said) = refusal(&server, words);
        assert_eq!((exit, said.lines().count()), (code, 1), "{said}");
        assert!(said.contains(says), "{said}");
    };
    expect(&["restore", text(&file)], 3, "does not exist");
    json(&server, &["backup", text(&file)]);
    expect(&["backup", text(&file)], 4, "--force");
    expect(&["restore", text(&file)], 4, "--replace");
    expect(&["backup", "/no/such/directory/file"], 2, "cannot be written");
    expect(&["backup", "/proc/file"], 2, "cannot be written");
    let sound = fs::read(&file).unwrap();
    fs::write(&file, &sound[..sound.len() - 1]).unwrap();
    expect(&["restore", text(&file), "--replace"], 2, "1 bytes are missing");
    fs::write(&file, "no backup at all").unwrap();
    expect(&["restore", text(&file)], 2, "is no backup");
}

/// A full disk is told as such and leaves no file behind. `/dev/full` has no directory that takes files, so the limit
/// of the shell on file sizes stands in for it: the write fails in the middle.
#[test]
fn a_write_that_fails_leaves_no_file() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    server.call(&["SET", "a", &"x1".repeat(40_000)]).unwrap();
    let file = folder.path().join("store.qbak");
    let line =
        format!("trap '' XFSZ; ulimit -f 2; exec {} backup {}", env!("CARGO_BIN_EXE_quorate"), text(&file));
    let out =
        Command::new("sh").args(["-c", &line]).env("REDIS_URL", server.url().reveal()).output().unwrap();
    assert!(!out.status.success());
    assert!(String::from_utf8_lossy(&out.stderr).contains("cannot be written"), "{out:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_restore_that_is_killed_is_found_by_fsck_and_can_be_repeated() {
    let (source, target, folder) = (server(), server(), tempfile::tempdir().unwrap());
    let fill = "for i = 1, 10000 do redis.call('SET', 'key' .. i, i) end";
    source.call(&["EVAL", fill, "0"]).unwrap();
    let file = folder.path().join("store.qbak");
    json(&source, &["backup", text(&file)]);
    let mut restore = quorate(&target, &["restore", text(&file)]);
    let mut restore = restore.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until(|| count(&target) > 500);
    restore.kill().unwrap();
    restore.wait().unwrap();
    let left = count(&target);
    assert!(left < 10_000, "the restore was quicker than the kill: {left}");

    let fsck = run(&target, &["fsck", "-o", "json"]);
    let report: Value = serde_json::from_slice(&fsck.stdout).unwrap();
    assert_eq!((fsck.status.code(), &report["findings"][0]["code"]), (Some(1), &"FSCK011".into()));
    let (exit, said) = refusal(&target, &["restore", text(&file)]);
    assert!(exit == 4 && said.contains("has not ended"), "{said}");
    assert_eq!(count(&target), left, "a refusal changed something");

    let restored = json(&target, &["restore", text(&file), "--replace"]);
    // And the record of the restore: the trail, its head and its requests.
    assert_eq!((&restored["keys"], count(&target)), (&10_000.into(), 10_003));
    assert_eq!(restored["fsck"]["findings"], Value::Array(vec![]));
}

fn count(server: &Node) -> i64 {
    let quorate_engine::resp::Value::Int(count) = server.call(&["DBSIZE"]).unwrap() else {
        panic!("no number")
    };
    count
}

fn until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it did not happen");
        std::thread::sleep(Duration::from_millis(2));
    }
}
