//! `cargo xtask test`: everything that must hold before a change lands. Nothing is skipped in silence.

use std::fs;

use crate::stages::{Stages, cargo};
use crate::{browser, codegen, conformance, engine, studio, tools};

/// Debian's Redis, the floor we support.
const REDIS_7: &str = "/usr/bin/redis-server";

/// Most tests wait most of the time; one more than the two cores we count on fills the pauses.
const THREADS: (&str, &str) = ("RUST_TEST_THREADS", "3");

pub(crate) fn run() -> Result<(), String> {
    let mut stages = Stages::new();
    stages.run("tools", tools::ensure)?;
    stages.run("engine", || engine::run(None))?;
    // Before anything is compiled: the binary carries what this makes.
    stages.run("studio", studio::check)?;
    stages.cargo("format", &["fmt", "--all", "--check"], &[])?;
    stages.run("codegen", || codegen::run(true))?;
    stages.cargo(
        "lints",
        &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"],
        &[],
    )?;
    let folder = conformance::folder().to_string_lossy().into_owned();
    stages.run("clean slate", conformance::reset)?;
    // The binary first: tests of processes start it, and would otherwise find an old one.
    stages.cargo("build", &["build", "--workspace", "--quiet"], &[])?;
    stages.cargo(
        "tests on the carried Valkey",
        &["test", "--workspace", "--quiet"],
        &[THREADS, ("QUORATE_CONFORMANCE_DIR", &folder)],
    )?;
    stages.run("tests on Redis 7.0", redis_7_tests)?;
    stages.run("browser", browser::run)?;
    let conforming = conformance::report()?;
    stages.close(&format!("all green, conformance {conforming},"));
    Ok(())
}

/// What speaks to a server in every way we do: modules of the tests of the store and of the plane.
const ON_REDIS_7: &[&str] = &[
    "check::",
    "cluster::",
    "deployment::",
    "errors::",
    "faults::",
    "pubsub::",
    "reads::",
    "scripts::",
    "sentinel::",
    "conformance_agents::",
    "conformance_locks::",
    "locks::",
    "locks_care::",
    "locks_guard::",
    "locks_together::",
];

/// The subset that speaks to a server in every way we do, on the oldest server we support.
fn redis_7_tests() -> Result<(), String> {
    if fs::metadata(REDIS_7).is_err() {
        return Err(format!("{REDIS_7} is missing"));
    }
    // Of the whole workspace: chosen by package, libraries would be built again with other features.
    let words = ["test", "--quiet", "--workspace", "--test", "store", "--test", "plane", "--"];
    cargo(&[&words, ON_REDIS_7].concat(), &[THREADS, ("QUORATE_TEST_ENGINE", REDIS_7)])
}
