//! What cannot work is said in one sentence that tells what to do.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use quorate_engine::{Binary, Error, Options, running};

use crate::support::{HOST, refusal, start};

/// An account without rights, to be used by tests that run as root: root may write everywhere.
const NOBODY: u32 = 65_534;

#[test]
fn an_unwritable_data_directory_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o555)).unwrap();
    let host = dir.path().join("host");
    let mut command = if rustix::process::geteuid().is_root() {
        // The build directory may be closed to that account, so it gets a copy.
        fs::copy(HOST, &host).unwrap();
        Command::new(&host)
    } else {
        Command::new(HOST)
    };
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let said = refusal(command.arg(dir.path().join("data")));
    assert!(said.contains("Permission denied") && said.contains("--data-dir"), "{said}");
    assert_eq!(said.lines().count(), 1);
}

#[test]
fn a_data_directory_that_cannot_exist_is_refused() {
    let refusal = start(Options::new("/dev/null/data")).unwrap_err();
    assert!(matches!(&refusal, Error::DataDir { .. }), "{refusal}");
    assert!(refusal.to_string().contains("--data-dir"), "{refusal}");
}

#[test]
fn a_port_in_use_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let dir = tempfile::tempdir().unwrap();
    let refusal = start(Options::new(dir.path()).redis_port(port)).unwrap_err();
    assert!(matches!(refusal, Error::PortInUse { port: named } if named == port), "{refusal}");
    drop(taken);
    let (engine, _) = start(Options::new(dir.path()).redis_port(port)).unwrap();
    assert_eq!(running(dir.path()).unwrap().unwrap().port_url, engine.port_url());
    let mut client = engine.port_url().unwrap().connect(Duration::from_secs(5)).unwrap();
    client.call(&["PING"]).unwrap();
}

#[test]
fn an_engine_that_ends_at_once_is_quoted() {
    let (dir, server) = impostor("echo 'the reason is here' >&2; exit 3");
    let refusal = start(Options::new(dir.path().join("data")).binary(server)).unwrap_err();
    assert!(matches!(&refusal, Error::NotStarted { .. }), "{refusal}");
    assert!(refusal.to_string().contains("the reason is here"), "{refusal}");
}

#[test]
fn an_engine_that_never_answers_is_given_up_and_not_left_behind() {
    let (dir, server) = impostor("echo $$ > \"$(dirname \"$1\")/pid\"; exec sleep 60");
    let data = dir.path().join("data");
    let options = Options::new(&data).binary(server).ready_within(Duration::from_millis(500));
    let refusal = start(options).unwrap_err();
    assert!(matches!(refusal, Error::Silent { .. }), "{refusal}");
    let pid = fs::read_to_string(data.join("engine/pid")).unwrap();
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "it still runs");
}

/// A program that passes for a server until it is asked to be one.
fn impostor(serve: &str) -> (tempfile::TempDir, Binary) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("impostor");
    let version = "[ \"$1\" = --version ] && echo 'Redis server v=7.2.0 sha=0' && exit 0";
    fs::write(&path, format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{version}\n{serve}\n")).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    (dir, Binary::Named(path))
}
