//! The owner dies by `kill -9`: its engine follows, and the next owner finds every acknowledged write.

use std::path::Path;
use std::time::{Duration, Instant};

use quorate_engine::{Error, Leash, Options, running};
use rustix::process::Signal;

use crate::load::{Load, assert_stored};
use crate::support::{Host, client, client_of, eventually, fill, lives, lost, signal, start};

const KEYS: usize = 500;

#[cfg(target_os = "linux")]
#[test]
fn kernel_leash_ends_the_engine_and_the_next_owner_has_the_data() {
    engine_follows_owner("kernel");
}

#[test]
fn guard_leash_ends_the_engine_and_the_next_owner_has_the_data() {
    engine_follows_owner("guard");
}

fn engine_follows_owner(leash: &str) {
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::start(dir.path(), leash);
    let load = Load::start(running(dir.path()).unwrap().unwrap().url);
    load.go_on();
    host.kill9();
    eventually("the engine is gone", Duration::from_secs(5), || !lives(host.engine));
    let acknowledged = load.stop();
    let (engine, _) = start(Options::new(dir.path())).unwrap();
    assert_stored(&mut client(&engine), &acknowledged);
}

#[test]
fn the_next_owner_does_not_have_to_wait_itself() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::start(dir.path(), "kernel");
    fill(&mut client_of(dir.path()), KEYS);
    host.kill9();
    let (engine, _) = start(Options::new(dir.path())).unwrap();
    assert!(!lives(host.engine), "two engines on one store");
    assert_eq!(lost(&mut client(&engine), KEYS), 0);
}

#[test]
fn the_next_owner_waits_for_an_engine_that_is_still_finishing() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::start(dir.path(), "kernel");
    let begun = keep_busy(dir.path(), "1.5");
    host.kill9();
    start(Options::new(dir.path())).unwrap();
    assert!(!lives(host.engine), "two engines on one store");
    assert!(begun.elapsed() > Duration::from_millis(1500), "it did not wait");
}

#[test]
fn an_engine_that_does_not_finish_is_named_and_not_killed() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::start(dir.path(), "kernel");
    keep_busy(dir.path(), "7");
    host.kill9();
    let refusal = start(Options::new(dir.path())).unwrap_err();
    assert!(lives(host.engine), "a process that we did not start was killed");
    assert!(
        matches!(refusal, Error::StillFinishing { pid: Some(pid), .. } if pid == host.engine),
        "{refusal}"
    );
    signal(host.engine, Signal::KILL);
}

/// Gives the engine a script that takes so many seconds of its time: until then it does not hear SIGTERM.
fn keep_busy(data_dir: &Path, seconds: &'static str) -> Instant {
    let mut client = client_of(data_dir);
    let begun = Instant::now();
    std::thread::spawn(move || {
        client.call(&["EVAL", "local e = os.clock() + ARGV[1] while os.clock() < e do end", "0", seconds])
    });
    let waiting = || running(data_dir).unwrap().unwrap().url.connect(Duration::from_millis(100));
    eventually("the script runs", Duration::from_secs(5), || waiting().is_err());
    begun
}

#[cfg(target_os = "linux")]
#[test]
fn the_guard_leaves_with_its_engine_while_the_owner_lives_on() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path()).leash(Leash::Guard)).unwrap();
    let guard = guard_of(dir.path()).expect("a guard runs");
    assert!(!engine.stop().forced);
    assert!(!lives(guard));
}

#[cfg(target_os = "linux")]
#[test]
fn a_guard_that_was_killed_is_replaced_with_the_next_engine() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::start(dir.path(), "guard");
    signal(guard_of(dir.path()).unwrap(), Signal::KILL);
    eventually("the guard is gone", Duration::from_secs(5), || guard_of(dir.path()).is_none());
    signal(host.engine, Signal::KILL);
    let engine_now = || running(dir.path()).unwrap().and_then(|running| running.record.engine_pid);
    eventually("another engine", Duration::from_secs(5), || {
        engine_now().is_some_and(|pid| pid != host.engine)
    });
    let second = engine_now().unwrap();
    eventually("another guard", Duration::from_secs(5), || guard_of(dir.path()).is_some());
    host.kill9();
    eventually("the second engine is gone", Duration::from_secs(5), || !lives(second));
}

/// The process whose arguments are `engine-guard` and the lock of this data directory.
#[cfg(target_os = "linux")]
fn guard_of(data_dir: &Path) -> Option<u32> {
    let lock = data_dir.canonicalize().unwrap().join("engine/engine.lock");
    let wanted = format!("engine-guard\0{}\0", lock.display());
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let mut pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.find(|pid| {
        std::fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.ends_with(&wanted))
    })
}
