//! The unpacked server is always the carried one; another one is used only if it can serve.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use quorate_engine::{Binary, Error, Event, Options};

use crate::support::{HOST, client, event, redis, refusal, start};

fn unpacked(data_dir: &Path) -> PathBuf {
    let entries = fs::read_dir(data_dir.join("engine")).unwrap().map(|entry| entry.unwrap().path());
    let mut servers = entries.filter(|path| path.to_string_lossy().contains("valkey-server-"));
    let server = servers.next().unwrap();
    assert_eq!(servers.next(), None, "more than one file");
    server
}

#[test]
fn a_damaged_server_is_replaced_and_said_so() {
    let dir = tempfile::tempdir().unwrap();
    let options = || Options::new(dir.path()).binary(Binary::Carried);
    drop(start(options()).unwrap());
    let server = unpacked(dir.path());
    let right = fs::read(&server).unwrap();
    let mut wrong = right.clone();
    let middle = wrong.len() / 2;
    wrong[middle] ^= 1;
    fs::write(&server, wrong).unwrap();
    let (_engine, seen) = start(options()).unwrap();
    event(&seen, |event| matches!(event, Event::BinaryReplaced { .. }));
    assert!(fs::read(&server).unwrap() == right, "the damaged file is still there");
}

#[test]
fn an_undamaged_server_is_not_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let first = Binary::Carried.unpack(dir.path()).unwrap();
    let written = fs::metadata(&first.path).unwrap().modified().unwrap();
    fs::set_permissions(&first.path, Permissions::from_mode(0o644)).unwrap();
    let second = Binary::Carried.unpack(dir.path()).unwrap();
    assert!(!first.replaced && !second.replaced);
    let found = fs::metadata(&second.path).unwrap();
    assert_eq!(found.modified().unwrap(), written);
    assert_eq!(found.permissions().mode() & 0o777, 0o700, "a lost mode is put right");
}

#[test]
fn a_server_of_the_machine_can_be_the_engine() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path()).binary(redis())).unwrap();
    assert!(client(&engine).call(&["INFO", "server"]).unwrap().text().contains("redis_version:"));
}

/// A program that answers `--version` with this text.
fn pretender(dir: &Path, says: &str) -> PathBuf {
    let path = dir.join("pretender");
    fs::write(&path, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

fn refused_binary(path: &Path) -> String {
    let dir = tempfile::tempdir().unwrap();
    refusal(Command::new(HOST).arg(dir.path()).env("QUORATE_ENGINE_BIN", path))
}

#[test]
fn a_server_that_is_too_old_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let said =
        refused_binary(&pretender(dir.path(), "Redis server v=6.2.14 sha=00000000:0 malloc=libc bits=64"));
    assert!(said.contains("Redis 6.2.14") && said.contains("Redis 7.0 or newer"), "{said}");
    assert_eq!(said.lines().count(), 1);
}

#[test]
fn a_program_that_is_no_server_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for path in
        [pretender(dir.path(), "cat (GNU coreutils) 9.1"), dir.path().join("missing"), dir.path().into()]
    {
        let said = refused_binary(&path);
        assert!(said.contains("set QUORATE_ENGINE_BIN to"), "{said}");
        assert_eq!(said.lines().count(), 1);
    }
}

#[test]
fn a_program_without_an_answer_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let path = pretender(dir.path(), "");
    fs::write(&path, "#!/bin/sh\nexec sleep 60\n").unwrap();
    let begun = Instant::now();
    let failure = Binary::Named(path).unpack(dir.path()).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(30), "it waited for {:?}", begun.elapsed());
    assert!(matches!(failure, Error::BadBinary { .. }), "{failure}");
}
