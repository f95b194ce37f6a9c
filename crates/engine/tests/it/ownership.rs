//! One data directory, one owner; others can find it.

use quorate_engine::{Engine, Error, Options, running};
use rustix::process::{Pid, getpgid};

use crate::support::{Host, client, client_of, start};

#[test]
fn a_second_owner_is_refused_and_told_who_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let host = Host::start(dir.path(), "kernel");
    let refusal = start(Options::new(dir.path())).unwrap_err();
    assert!(matches!(refusal, Error::AlreadyRunning { pid, .. } if pid == host.child.id()), "{refusal}");
    assert!(refusal.to_string().contains(&host.child.id().to_string()), "{refusal}");
    client_of(dir.path()).call(&["PING"]).unwrap();
}

#[test]
fn a_second_owner_in_the_same_process_is_refused_too() {
    let dir = tempfile::tempdir().unwrap();
    let (_engine, _) = start(Options::new(dir.path())).unwrap();
    let refusal = start(Options::new(dir.path())).unwrap_err();
    assert!(matches!(refusal, Error::AlreadyRunning { .. }), "{refusal}");
}

#[test]
fn others_find_the_engine_through_the_data_directory() {
    let dir = tempfile::tempdir().unwrap();
    assert!(running(dir.path()).unwrap().is_none());
    let (engine, _) = start(Options::new(dir.path())).unwrap();
    engine.announce("http://127.0.0.1:7400").unwrap();
    let found = running(dir.path()).unwrap().unwrap();
    assert_eq!(found.record.pid, std::process::id());
    assert_eq!(found.record.engine_pid, engine.pid());
    assert_eq!(found.record.listen.as_deref(), Some("http://127.0.0.1:7400"));
    assert_eq!(found.url, engine.url());
    engine.stop();
    assert!(running(dir.path()).unwrap().is_none());
}

#[test]
fn looking_for_the_owner_never_keeps_an_owner_out() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| (0..20_000).for_each(|_| drop(running(dir.path()))));
        while !looking.is_finished() {
            start(Options::new(dir.path())).unwrap();
        }
    });
}

#[test]
fn a_deep_data_directory_still_gets_a_socket() {
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("a-rather-long-name/".repeat(8));
    let (engine, _) = start(Options::new(&deep)).unwrap();
    client(&engine).call(&["PING"]).unwrap();
    let socket_dir = engine.socket().parent().unwrap().to_owned();
    assert!(!socket_dir.starts_with(dir.path()));
    assert_eq!(running(&deep).unwrap().unwrap().record.socket.as_deref(), Some(engine.socket()));
    engine.stop();
    assert!(!socket_dir.exists(), "the socket's directory was left behind");
}

#[test]
fn an_odd_data_directory_works() {
    let dir = tempfile::tempdir().unwrap();
    let odd = dir.path().join("a \"b\" \\ 'c' ü\nport 1");
    let (engine, _) = start(Options::new(&odd)).unwrap();
    client(&engine).call(&["SET", "key", "value"]).unwrap();
    engine.stop();
    let (engine, _) = start(Options::new(&odd)).unwrap();
    assert_eq!(client(&engine).call(&["GET", "key"]).unwrap().text(), "value");
}

#[test]
fn an_engine_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Engine>();
}

#[test]
fn ctrl_c_in_the_terminal_does_not_reach_the_engine() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path())).unwrap();
    let pid = Pid::from_raw(engine.pid().unwrap().cast_signed()).unwrap();
    assert_ne!(getpgid(Some(pid)).unwrap(), getpgid(None).unwrap());
}
