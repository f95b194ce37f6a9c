//! The nouns. Each is a module; each verb a file in it.

use clap::Subcommand;

use crate::args::Cli;
use crate::failure::Failure;
use crate::out::Answer;

mod completions;
mod keys;

#[derive(Debug, Subcommand)]
pub(crate) enum Noun {
    /// The catalog of every key: what exists, how it is spelled, whose a key is.
    #[command(subcommand)]
    Keys(keys::Verb),
    /// Writes a completion script for a shell.
    Completions(completions::Args),
}

pub(crate) fn run(cli: Cli) -> Result<Answer, Failure> {
    match cli.noun {
        Noun::Keys(verb) => keys::run(&cli.global, verb),
        Noun::Completions(args) => completions::run(&args),
    }
}
