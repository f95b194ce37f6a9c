//! `cargo xtask …`: what building and testing Quorate needs beyond cargo itself.
//!
//! This file only chooses; each command is a file of its own with a `run` that returns one sentence on failure.

mod engine;
mod say;
mod workspace;

use std::process::ExitCode;

const USAGE: &str =
    "usage: cargo xtask engine [TARGET]   take the engine that engine.lock names into .engine/";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["engine"] => engine::run(None),
        ["engine", target] => engine::run(Some(target)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say::error(&message);
            ExitCode::FAILURE
        }
    }
}
