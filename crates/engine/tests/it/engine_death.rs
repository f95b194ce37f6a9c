//! The engine dies: it is back within two seconds, and what was written to its file is there.
//!
//! With a sync before each answer that is everything acknowledged. With a sync every second the server holds writes back
//! while a sync is under way (`Fsync`), so there the promise is what the server itself says is written.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use quorate_engine::{Binary, Engine, Event, Fsync, Options};
use rustix::process::Signal;

use crate::load::{Load, assert_stored};
use crate::support::{carried, client, event, redis, signal, start};

#[test]
fn kill_9_under_load_loses_no_acknowledged_write() {
    loses_nothing(carried());
}

#[test]
fn kill_9_under_load_loses_no_acknowledged_write_on_redis() {
    loses_nothing(redis());
}

fn loses_nothing(binary: Binary) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, seen) = start(Options::new(dir.path()).binary(binary).fsync(Fsync::Always)).unwrap();
    let load = Load::start(engine.url());
    for _ in 0..3 {
        load.go_on();
        kill_9(&engine, &seen);
    }
    let acknowledged = load.stop();
    assert_stored(&mut client(&engine), &acknowledged);
}

#[test]
fn kill_9_under_load_loses_at_most_what_a_running_sync_holds_back() {
    loses_nothing_written(carried());
}

#[test]
fn kill_9_under_load_loses_at_most_what_a_running_sync_holds_back_on_redis() {
    loses_nothing_written(redis());
}

fn loses_nothing_written(binary: Binary) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, seen) = start(Options::new(dir.path()).binary(binary)).unwrap();
    let load = Load::start(engine.url());
    for _ in 0..3 {
        load.go_on();
        let written = load.written();
        kill_9(&engine, &seen);
        assert_stored(&mut client(&engine), &written);
    }
}

fn kill_9(engine: &Engine, seen: &Receiver<Event>) {
    let victim = engine.pid().unwrap();
    signal(victim, Signal::KILL);
    let back = event(seen, |event| matches!(event, Event::Restarted { .. }));
    let Event::Restarted { pid, outage } = back else { unreachable!() };
    assert!(outage < Duration::from_secs(2), "back after {outage:?}");
    assert_ne!(pid, victim);
}

#[test]
fn an_engine_that_keeps_dying_is_brought_back_every_time() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, seen) = start(Options::new(dir.path())).unwrap();
    for _ in 0..9 {
        kill_9(&engine, &seen);
    }
    assert!(!engine.stop().forced);
}
