//! `cargo xtask build` and `cargo xtask up`: from a fresh machine to a running plane.

use std::process::Command;

use crate::stages::{Stages, cargo, run};
use crate::{engine, say, studio, workspace};

/// The engine and the Studio, then the release binary that carries both.
pub(crate) fn build() -> Result<(), String> {
    let mut stages = Stages::new();
    stages.run("engine", || engine::run(None))?;
    stages.run("studio", studio::build)?;
    stages.run("release binary", || cargo(&["build", "--release", "-p", "quorate-cli"], &[]))?;
    stages.close("built");
    Ok(())
}

pub(crate) fn up(args: &[&str]) -> Result<(), String> {
    build()?;
    let binary = workspace::target_dir().join("release/quorate");
    say::info(&format!("starting {} up", binary.display()));
    // Somebody who looks for the first time should see something; other machines should not.
    let demo = (!args.iter().any(|arg| arg.starts_with("--tls-cert"))).then_some("--demo");
    run(Command::new(binary).arg("up").args(demo).args(args.iter().filter(|arg| **arg != "--demo")))
}
