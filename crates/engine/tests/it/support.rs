//! What the tests share: an engine with its events, and an owner in a process of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use quorate_engine::resp::Client;
use quorate_engine::{Binary, Engine, Event, Options, Result, running};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

pub(crate) const HOST: &str = env!("CARGO_BIN_EXE_engine-host");

/// The server that this build carries (or QUORATE_ENGINE_BIN).
pub(crate) fn carried() -> Binary {
    Binary::choose().expect("the tests need an engine")
}

/// The oldest Redis that Quorate supports, as distributions have it.
pub(crate) fn redis() -> Binary {
    let path =
        std::env::var_os("QUORATE_TEST_REDIS").map_or_else(|| "/usr/bin/redis-server".into(), PathBuf::from);
    assert!(path.exists(), "{} is missing: install redis-server or set QUORATE_TEST_REDIS", path.display());
    Binary::Named(path)
}

pub(crate) fn start(options: Options) -> Result<(Engine, Receiver<Event>)> {
    let (events, seen) = channel();
    // Where the system needs a guard, this test program cannot be it.
    let engine = Engine::start(options.guard(HOST).on_event(move |event| drop(events.send(event))))?;
    Ok((engine, seen))
}

pub(crate) fn client(engine: &Engine) -> Client {
    engine.url().connect(Duration::from_secs(5)).unwrap()
}

/// The first event that `wanted` accepts.
pub(crate) fn event(seen: &Receiver<Event>, wanted: impl Fn(&Event) -> bool) -> Event {
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut others = Vec::new();
    while let Ok(event) = seen.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        if wanted(&event) {
            return event;
        }
        others.push(event);
    }
    panic!("the event did not come, but {others:?}");
}

pub(crate) fn eventually(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < limit, "not within {limit:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
    begun.elapsed()
}

pub(crate) fn signal(pid: u32, signal: Signal) {
    kill_process(pid_of(pid), signal).unwrap();
}

/// Whether a process with this number runs. One that has ended but that nobody has reaped yet does not.
pub(crate) fn lives(pid: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    let zombie =
        state.is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim().starts_with('Z')));
    !zombie && test_kill_process(pid_of(pid)).is_ok()
}

fn pid_of(pid: u32) -> Pid {
    Pid::from_raw(pid.cast_signed()).unwrap()
}

/// An owner in a process of its own, to be killed.
pub(crate) struct Host {
    pub(crate) child: Child,
    pub(crate) engine: u32,
}

impl Host {
    pub(crate) fn start(data_dir: &Path, leash: &str) -> Self {
        let mut command = Command::new(HOST);
        command.arg(data_dir).env("QUORATE_ENGINE_LEASH", leash);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let ready = lines.find_map(|line| line.unwrap().strip_prefix("ready ").map(str::to_owned));
        Self { engine: ready.expect("the host started").parse().unwrap(), child }
    }

    pub(crate) fn kill9(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a host that cannot start says.
pub(crate) fn refusal(command: &mut Command) -> String {
    let out = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert!(!out.status.success(), "it started: {said}");
    said.trim().strip_prefix("error: ").unwrap_or_else(|| panic!("no error, but {said:?}")).to_owned()
}

/// A connection as another process makes it, through the data directory.
pub(crate) fn client_of(data_dir: &Path) -> Client {
    let running = running(data_dir).unwrap().expect("somebody owns the directory");
    running.url.connect(Duration::from_secs(5)).unwrap()
}

/// Writes `count` keys and waits for each acknowledgement.
pub(crate) fn fill(client: &mut Client, count: usize) {
    for i in 0..count {
        client.call(&["SET", &format!("key:{i}"), &i.to_string()]).unwrap();
    }
}

/// How many of the keys of `fill` are missing or wrong.
pub(crate) fn lost(client: &mut Client, count: usize) -> usize {
    (0..count).filter(|i| client.call(&["GET", &format!("key:{i}")]).unwrap().text() != i.to_string()).count()
}
