//! Processes of the plane's own that the proofs stop and kill.

use std::path::Path;
use std::process::{Command, Stdio};

use quorate_testkit::Bench;
use quorate_testkit::chaos::Worker;

/// Like the test programs of other crates, the worker is built with the tests.
const WORKER: &str = env!("CARGO_BIN_EXE_lock-worker");

/// A worker that speaks to the bench's own server.
pub(crate) fn start(bench: &Bench, verb: &str, args: &[&str]) -> Worker {
    start_at(bench, &bench.node.url().reveal(), verb, args)
}

/// A worker that speaks to the bench's server through another address.
pub(crate) fn start_at(bench: &Bench, url: &str, verb: &str, args: &[&str]) -> Worker {
    Worker::spawn(&mut command(bench, url, verb, args)).expect("the worker starts")
}

pub(crate) fn command(bench: &Bench, url: &str, verb: &str, args: &[&str]) -> Command {
    let namespace = bench.scope.keys.namespace_text();
    let mut command = Command::new(WORKER);
    command.args([verb, url, namespace.trim_end_matches(':')]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a path of the test's own")
}
