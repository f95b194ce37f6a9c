//! `cargo xtask test`: everything that must hold before a change lands. Nothing is skipped in silence.

use std::fs;

use crate::stages::{Stages, cargo};
use crate::{codegen, conformance, engine, tools};

/// Debian's Redis, the floor we support.
const REDIS_7: &str = "/usr/bin/redis-server";

pub(crate) fn run() -> Result<(), String> {
    let mut stages = Stages::new();
    stages.run("tools", tools::ensure)?;
    stages.run("engine", || engine::run(None))?;
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
        &[("QUORATE_CONFORMANCE_DIR", &folder)],
    )?;
    stages.run("tests on Redis 7.0", redis_7_tests)?;
    let conforming = conformance::report()?;
    stages.close(&format!("all green, conformance {conforming},"));
    Ok(())
}

/// The subset that speaks to a server in every way we do, on the oldest server we support.
fn redis_7_tests() -> Result<(), String> {
    if fs::metadata(REDIS_7).is_err() {
        return Err(format!("{REDIS_7} is missing"));
    }
    let engine = [("QUORATE_TEST_ENGINE", REDIS_7)];
    cargo(&["test", "--quiet", "-p", "quorate-store"], &engine)?;
    let conformance = [
        "--test",
        "conformance_agents",
        "--test",
        "conformance_locks",
        "--test",
        "locks",
        "--test",
        "locks_care",
    ];
    cargo(&[&["test", "--quiet", "-p", "quorate-plane"][..], &conformance].concat(), &engine)
}
