//! The owner that the tests kill: it holds an engine as `quorate up` does, and becomes the guard when asked.
//!
//! It says one line per event on stdout and lives until its standard input closes (a clean stop) or a signal comes.

use std::io::{Read, Write};
use std::process::ExitCode;

use quorate_engine::{Engine, GUARD_ARGUMENT, Options, guard_main};

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next() {
        Some(first) if first == GUARD_ARGUMENT => guard_main(args),
        Some(data_dir) => host(Options::new(data_dir)),
        None => ExitCode::from(2),
    }
}

fn host(options: Options) -> ExitCode {
    match Engine::start(options.on_event(|event| say(&event.to_string()))) {
        Ok(engine) => {
            say(&format!("ready {}", engine.pid().unwrap_or_default()));
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            say(&format!("stopped, forced: {}", engine.stop().forced));
            ExitCode::SUCCESS
        }
        Err(e) => {
            say(&format!("error: {e}"));
            ExitCode::FAILURE
        }
    }
}

fn say(line: &str) {
    // A reader that has gone must not end the host: the test decides when it ends.
    let _ = writeln!(std::io::stdout(), "{line}");
}
