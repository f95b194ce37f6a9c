//! The engine dies: it is back within two seconds and nothing that was acknowledged is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use quorate_engine::{Binary, Engine, Event, Options, Url};
use rustix::process::Signal;

use crate::support::{carried, client, event, eventually, redis, signal, start};

const WRITERS: usize = 4;

#[test]
fn kill_9_under_load_loses_no_acknowledged_write() {
    survives_kill_9_under_load(carried());
}

#[test]
fn kill_9_under_load_loses_no_acknowledged_write_on_redis() {
    survives_kill_9_under_load(redis());
}

fn survives_kill_9_under_load(binary: Binary) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, seen) = start(Options::new(dir.path()).binary(binary)).unwrap();
    let load = Load::start(&engine);
    for _ in 0..3 {
        eventually("some load", Duration::from_secs(5), || load.grows());
        let victim = engine.pid().unwrap();
        signal(victim, Signal::KILL);
        let back = event(&seen, |event| matches!(event, Event::Restarted { .. }));
        let Event::Restarted { pid, outage } = back else { unreachable!() };
        assert!(outage < Duration::from_secs(2), "back after {outage:?}");
        assert_ne!(pid, victim);
    }
    let acknowledged = load.stop();
    let mut client = client(&engine);
    for (writer, acknowledged) in acknowledged.into_iter().enumerate() {
        let stored = client.call(&["LLEN", &format!("writer:{writer}")]).unwrap();
        let quorate_engine::resp::Value::Int(stored) = stored else { panic!("{stored:?}") };
        assert!(acknowledged > 100, "too little load to mean anything: {acknowledged}");
        assert!(
            stored >= i64::try_from(acknowledged).unwrap(),
            "{acknowledged} acknowledged, {stored} stored"
        );
    }
}

/// Writers that append to a list each and count what was acknowledged.
struct Load {
    stop: Arc<AtomicBool>,
    total: Arc<AtomicUsize>,
    writers: Vec<std::thread::JoinHandle<usize>>,
}

impl Load {
    fn start(engine: &Engine) -> Self {
        let (stop, total) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let writers = (0..WRITERS).map(|writer| {
            let (url, stop, total) = (engine.url(), Arc::clone(&stop), Arc::clone(&total));
            std::thread::spawn(move || write(&url, writer, &stop, &total))
        });
        Self { writers: writers.collect(), stop, total }
    }

    fn grows(&self) -> bool {
        let before = self.total.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(300));
        self.total.load(Ordering::Relaxed) > before + 100
    }

    fn stop(self) -> Vec<usize> {
        self.stop.store(true, Ordering::Relaxed);
        self.writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    }
}

fn write(url: &Url, writer: usize, stop: &AtomicBool, total: &AtomicUsize) -> usize {
    let list = format!("writer:{writer}");
    let mut acknowledged = 0;
    while !stop.load(Ordering::Relaxed) {
        let Ok(mut client) = url.connect(Duration::from_secs(5)) else { continue };
        while !stop.load(Ordering::Relaxed) && client.call(&["RPUSH", &list, "x"]).is_ok() {
            acknowledged += 1;
            total.fetch_add(1, Ordering::Relaxed);
        }
    }
    acknowledged
}

#[test]
fn an_engine_that_keeps_dying_is_left_down_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, seen) = start(Options::new(dir.path())).unwrap();
    let mut victim = engine.pid().unwrap();
    for _ in 0..4 {
        signal(victim, Signal::KILL);
        let back = event(&seen, |event| matches!(event, Event::Restarted { .. }));
        let Event::Restarted { pid, outage } = back else { unreachable!() };
        assert!(outage < Duration::from_secs(2), "back after {outage:?}");
        victim = pid;
    }
    signal(victim, Signal::KILL);
    event(&seen, |event| matches!(event, Event::GaveUp { deaths: 5, .. }));
    assert_eq!(engine.pid(), None);
    assert!(!engine.stop().forced);
}
