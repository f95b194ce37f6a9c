//! `quorate completions SHELL`.

use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;

use crate::args::Cli;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which shell to write for.
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Answer, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "quorate", &mut script);
    let script = String::from_utf8(script)
        .map_err(|_| Failure::new(Exit::Fault, "the completion script is not text"))?;
    Ok(Answer::new(json!({ "shell": args.shell.to_string(), "script": script }), View::Text(script)))
}
