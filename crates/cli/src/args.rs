//! The command line as a whole: the nouns, and what every command understands.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};

use crate::commands::Noun;

/// Keeps a fleet of agents and workers in step, on Redis or Valkey.
#[derive(Debug, Parser)]
#[command(name = "quorate", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 findings or fault, 2 usage or bad input, 3 not found, 4 refused, \
                        5 denied, 69 store unreachable, 124 timed out."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) noun: Noun,
}

/// Variables that say who acts.
const ACTORS: [&str; 3] = ["QUORATE_AGENT", "QUORATE_EPOCH", "QUORATE_TOKEN"];

/// One that is empty says nothing, to every command alike; scripts export it before they know.
pub(crate) fn unless_empty(command: clap::Command) -> clap::Command {
    let says_nothing = |name: &OsStr| {
        ACTORS.iter().any(|own| name == *own) && std::env::var_os(name).is_some_and(|value| value.is_empty())
    };
    let read = |arg: clap::Arg| match arg.get_env().is_some_and(says_nothing) {
        true => arg.env(None),
        false => arg,
    };
    command.mut_args(read).mut_subcommands(unless_empty)
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// How to write the answer.
    #[arg(short, long, global = true, value_enum, default_value_t = Format::Table)]
    pub(crate) output: Format,
    /// Where the carried engine keeps its data [default: the platform's data directory].
    #[arg(long, global = true, env = "QUORATE_DATA_DIR", value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// An external server instead of the carried one; give a password in REDIS_URL or VALKEY_URL, not here.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) redis_url: Option<String>,
    /// What stands before every key of this deployment.
    #[arg(
        long,
        global = true,
        env = "QUORATE_NAMESPACE",
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) namespace: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// One JSON document.
    Json,
    /// One JSON document a line.
    Ndjson,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    /// The API says of each route what it is called at a terminal, and the Studio shows it: that must be there.
    #[test]
    fn every_line_that_the_api_names_can_be_typed() {
        for entry in quorate_verbs::all() {
            let line = entry.about.line();
            let mut command = Cli::command();
            for word in line.split(' ') {
                if let Some(flag) = word.strip_prefix("--") {
                    let known = command.get_arguments().any(|argument| argument.get_long() == Some(flag));
                    assert!(known, "`{line}` has no --{flag}");
                } else {
                    let found = command.find_subcommand(word).cloned();
                    command = found.unwrap_or_else(|| panic!("there is no `quorate {line}`"));
                }
            }
        }
    }
}
