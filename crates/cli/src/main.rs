//! `quorate <noun> <verb>`: the plane from the command line.
//!
//! One file per verb under [`commands`]. A verb returns what is to be shown; [`out`] is the only place that
//! writes to the terminal, and [`failure`] the only one that knows exit codes.

mod args;
mod ask;
mod commands;
mod demo;
mod duration;
mod failure;
mod journal;
mod otlp;
mod out;
mod outgoing;
mod phases;
mod plane;
mod post;
mod refusal;
mod settings;
mod stop;
mod trail;
mod who;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

/// A request makes and drops a few hundred small things, on whichever thread has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Not a command for people: on some systems the engine is tied to us through a process of our own.
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == quorate_engine::GUARD_ARGUMENT) {
        return quorate_engine::guard_main(words);
    }
    let parsed = args::unless_empty(args::Cli::command()).try_get_matches();
    let parsed =
        parsed.and_then(|matches| Ok((args::Cli::from_arg_matches(&matches)?, trail::act(&matches))));
    let (cli, act) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return out::usage(&error),
    };
    let format = cli.global.output;
    match commands::run(cli, act) {
        Ok(answer) => out::answer(&answer, format),
        Err(failure) => match failure.refusal {
            // A refusal is an answer, wherever it was noticed.
            Some(code) => {
                let refused = quorate_plane::Refusal::new(code, None);
                out::answer(&refusal::answer(&refused, &serde_json::Value::Null), format)
            }
            None => out::failure(&failure),
        },
    }
}
