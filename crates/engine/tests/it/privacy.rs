//! The engine is private: its password is nowhere that others can look, its files are for the owner only.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

use quorate_engine::resp::Client;
use quorate_engine::{Binary, Fsync, Options, Url};

use crate::support::{carried, client, start};

fn password(url: &Url) -> String {
    url.reveal().rsplit_once("pass=").unwrap().1.to_owned()
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o777
}

#[cfg(target_os = "linux")]
#[test]
fn the_password_is_not_in_arguments_environment_logs_or_messages() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path()).binary(recorder(dir.path()))).unwrap();
    client(&engine).call(&["SET", "key", "value"]).unwrap();
    let secret = password(&engine.url());
    let given = fs::read_to_string(dir.path().join("given")).unwrap();
    assert!(given.contains("engine.conf") && !given.contains(&secret), "{given}");
    assert!(!given.contains("CARGO"), "our environment was passed on: {given}");
    for file in ["cmdline", "environ"] {
        let text = fs::read(format!("/proc/{}/{file}", engine.pid().unwrap())).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains(&secret), "{file}");
    }
    assert!(!fs::read_to_string(dir.path().join("engine/engine.log")).unwrap().contains(&secret));
    assert!(!fs::read_to_string(dir.path().join("quorate.lock")).unwrap().contains(&secret));
    assert!(!format!("{engine:?} {:?} {}", engine.url(), engine.url()).contains(&secret));
}

/// The real server behind a script that notes what it is given: a server overwrites its own arguments after its start.
#[cfg(target_os = "linux")]
fn recorder(dir: &Path) -> Binary {
    let server = carried().unpack_shared().unwrap();
    let (path, given) = (dir.join("recorder"), dir.join("given"));
    let note = format!("(echo \"$@\"; cat /proc/self/environ) > '{}'", given.display());
    fs::write(&path, format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{note}\nexec '{}' \"$@\"\n", server.display()))
        .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    Binary::Named(path)
}

#[test]
fn files_are_for_the_owner_only() {
    let parent = tempfile::tempdir().unwrap();
    let data = parent.path().join("data");
    let (engine, _) = start(Options::new(&data)).unwrap();
    assert_eq!([mode(&data), mode(&data.join("engine")), mode(&data.join("store"))], [0o700; 3]);
    for file in ["quorate.lock", "engine/engine.conf", "engine/password", "engine/engine.lock"] {
        assert_eq!(mode(&data.join(file)), 0o600, "{file}");
    }
    assert_eq!(mode(engine.socket()), 0o700);
    assert_eq!(mode(&data.join("engine/engine.log")) & 0o077, 0, "the log");
}

#[test]
fn nobody_gets_in_without_the_password() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path())).unwrap();
    let refusal =
        Client::unix(engine.socket(), Duration::from_secs(5)).unwrap().call(&["GET", "key"]).unwrap_err();
    assert!(refusal.to_string().contains("NOAUTH"), "{refusal}");
    assert!(engine.port_url().is_none());
    let listens = client(&engine).call(&["CONFIG", "GET", "port"]).unwrap();
    assert_eq!(listens.list()[1].text(), "0");
}

#[test]
fn every_write_can_be_synced_before_its_answer() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path()).fsync(Fsync::Always)).unwrap();
    let found = client(&engine).call(&["CONFIG", "GET", "appendfsync"]).unwrap();
    assert_eq!(found.list()[1].text(), "always");
}

#[test]
fn the_engine_keeps_what_it_is_given() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path())).unwrap();
    let mut client = client(&engine);
    for (name, value) in [
        ("appendonly", "yes"),
        ("appendfsync", "everysec"),
        ("aof-load-truncated", "yes"),
        ("maxmemory-policy", "noeviction"),
        ("save", ""),
        ("daemonize", "no"),
    ] {
        assert_eq!(client.call(&["CONFIG", "GET", name]).unwrap().list()[1].text(), value, "{name}");
    }
}
