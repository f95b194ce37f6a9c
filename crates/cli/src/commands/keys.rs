//! `quorate keys`: the catalog.

use clap::Subcommand;
use quorate_catalog::{Catalog, Family, Keys};
use serde_json::{Value, json};

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;

mod ls;
mod show;
mod which;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Lists the key families.
    Ls(ls::Args),
    /// Shows everything the catalog says about one family.
    Show(show::Args),
    /// Says which family a key belongs to.
    Which(which::Args),
}

pub(crate) fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    match verb {
        Verb::Ls(args) => ls::run(global, &args),
        Verb::Show(args) => show::run(global, &args),
        Verb::Which(args) => which::run(global, &args),
    }
}

/// What `ls` says of a family, and `show` begins with.
fn summary(catalog: &Catalog, keys: &Keys, family: &Family) -> Value {
    json!({
        "system": family.system,
        "family": family.name,
        "pattern": keys.pattern(catalog, family).to_string(),
        "kind": family.kind_text(),
        "retention": family.retention.to_string(),
        "capability": family.capability,
        "role": family.role,
        "purpose": family.purpose,
        "internal": family.internal,
    })
}
