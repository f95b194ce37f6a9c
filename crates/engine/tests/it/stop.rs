//! A clean stop loses nothing, and one that does not come about is forced.

use std::io::BufRead;
use std::time::{Duration, Instant};

use quorate_engine::{Event, Options};
use rustix::process::Signal;

use crate::support::{Host, client, client_of, event, fill, lives, lost, signal, start};

const KEYS: usize = 500;

#[test]
fn a_clean_stop_is_quick_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, seen) = start(Options::new(dir.path())).unwrap();
    fill(&mut client(&engine), KEYS);
    let pid = engine.pid().unwrap();
    let begun = Instant::now();
    assert!(!engine.stop().forced);
    assert!(begun.elapsed() < Duration::from_secs(2) && !lives(pid));
    assert!(!seen.try_iter().any(|event| matches!(event, Event::Died { .. })), "a stop is no death");
    let log = std::fs::read_to_string(dir.path().join("engine/engine.log")).unwrap();
    assert!(log.contains("User requested shutdown"), "it was killed: {log}");
    let (engine, seen) = start(Options::new(dir.path())).unwrap();
    assert_eq!(lost(&mut client(&engine), KEYS), 0);
    assert!(!seen.try_iter().any(|event| matches!(event, Event::RepairedTail { .. })));
}

#[test]
fn an_owner_that_ends_normally_stops_its_engine_cleanly() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::start(dir.path(), "kernel");
    fill(&mut client_of(dir.path()), KEYS);
    drop(host.child.stdin.take());
    let said = std::io::BufReader::new(host.child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert_eq!(said.last().as_deref(), Some("stopped, forced: false"));
    assert!(!lives(host.engine));
}

#[test]
fn an_engine_that_hangs_is_killed_at_last() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = start(Options::new(dir.path())).unwrap();
    let pid = engine.pid().unwrap();
    signal(pid, Signal::STOP);
    assert!(engine.stop().forced);
    assert!(!lives(pid));
}

#[test]
fn a_stop_during_the_pause_before_a_restart_is_heard() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, seen) = start(Options::new(dir.path())).unwrap();
    let mut victim = engine.pid().unwrap();
    for _ in 0..3 {
        signal(victim, Signal::KILL);
        let back = event(&seen, |event| matches!(event, Event::Restarted { .. }));
        let Event::Restarted { pid, .. } = back else { unreachable!() };
        victim = pid;
    }
    signal(victim, Signal::KILL);
    event(&seen, |event| matches!(event, Event::Died { pid, .. } if *pid == victim));
    let begun = Instant::now();
    engine.stop();
    assert!(begun.elapsed() < Duration::from_millis(300), "it slept for {:?}", begun.elapsed());
    assert!(!seen.try_iter().any(|event| matches!(event, Event::Restarted { .. })));
}
