//! A run of named stages: each timed, the first failure ends it, and one closing line says what ran.

use std::process::Command;
use std::time::Instant;

use crate::say;

pub(crate) struct Stages {
    done: Vec<String>,
    started: Instant,
}

impl Stages {
    pub(crate) fn new() -> Self {
        Self { done: Vec::new(), started: Instant::now() }
    }

    pub(crate) fn run(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        say::info(&format!("== {name}"));
        let started = Instant::now();
        work().map_err(|error| format!("{name}: {error}"))?;
        self.done.push(format!("{name} {}", seconds(started)));
        Ok(())
    }

    pub(crate) fn cargo(&mut self, name: &str, args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
        self.run(name, || cargo(args, env))
    }

    /// The closing line.
    pub(crate) fn close(self, headline: &str) {
        say::info(&format!("{headline} in {}: {}", seconds(self.started), self.done.join(", ")));
    }
}

fn seconds(since: Instant) -> String {
    format!("{:.0}s", since.elapsed().as_secs_f64())
}

/// Runs cargo with the toolchain that runs us.
pub(crate) fn cargo(args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).envs(env.iter().copied()).current_dir(crate::workspace::root());
    run(&mut command)
}

/// Runs a command to its end; its own output says what is wrong with it. Its environment may hold a secret, and is not shown.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let shown = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let status = command.status().map_err(|error| format!("{shown} did not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} ended with {status}")) }
}
