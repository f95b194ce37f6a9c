//! `quorate keys`: the catalog.

use clap::Subcommand;
use quorate_verbs::Fault;
use serde::Serialize;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};

mod counts;
mod ls;
mod show;
mod which;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Lists the key families.
    Ls(ls::Args),
    /// Counts the keys of each family in a sample, with one key of each.
    Counts,
    /// Shows everything the catalog says about one family.
    Show(show::Args),
    /// Says which family a key belongs to.
    Which(which::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    match verb {
        Verb::Ls(args) => ls::run(global, &args),
        Verb::Counts => counts::run(global).await,
        Verb::Show(args) => show::run(global, &args),
        Verb::Which(args) => which::run(global, &args),
    }
}

/// The document, and how it is shown.
fn answer<T: Serialize>(found: &T, view: View) -> Answer {
    Answer::new(serde_json::to_value(found).unwrap_or_default(), view)
}

/// What is not in the catalog may be found in another way.
fn advised(fault: Fault, advice: &str) -> Failure {
    let missing = matches!(fault, Fault::NotFound(_));
    let failure = Failure::from(fault);
    if missing { failure.advise(advice) } else { failure }
}
