//! `cargo xtask …`: what building and testing Quorate needs beyond cargo itself.
//!
//! This file only chooses; each command is a file of its own with a `run` that returns one sentence on failure.

mod bench;
mod browser;
mod build;
mod codegen;
mod conformance;
mod engine;
mod mutants;
#[cfg(test)]
mod promises;
mod say;
mod soak;
mod stages;
mod studio;
mod test;
#[cfg(test)]
mod tidy;
mod tools;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND
  up [ARGS]         build everything and start a plane with a demo; ARGS go to `quorate up`
  build             the engine, the Studio and the release binary
  test              everything that must hold, with what it needs installed first
  client            write the Studio's client anew, from the API of this tree
  browser           only the Studio's tests in a browser, on what is built
  codegen [--check] write what derives from the catalog, or say what is stale
  bench [NAME]      the benchmarks
  mutants [NAME]    break the code on purpose; every break must be noticed
  soak [NAME]       the proofs in full size; minutes each
  engine [TARGET]   take the engine that engine.lock names into .engine/";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match choose(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say::error(&message);
            ExitCode::FAILURE
        }
    }
}

fn choose(args: &[&str]) -> Result<(), String> {
    match args {
        ["up", rest @ ..] => build::up(rest),
        ["build"] => build::build(),
        ["test"] => test::run(),
        ["client"] => studio::client(),
        ["browser"] => browser::run(),
        ["codegen"] => codegen::run(false),
        ["codegen", "--check"] => codegen::run(true),
        ["bench"] => bench::run(None),
        ["bench", name] => bench::run(Some(name)),
        ["mutants"] => mutants::run(None),
        ["mutants", name] => mutants::run(Some(name)),
        ["soak"] => soak::run(None),
        ["soak", name] => soak::run(Some(name)),
        ["engine"] => engine::run(None),
        ["engine", target] => engine::run(Some(target)),
        _ => Err(USAGE.to_owned()),
    }
}
