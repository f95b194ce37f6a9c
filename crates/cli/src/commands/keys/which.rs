//! `quorate keys which KEY`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use quorate_catalog::Layout;
use quorate_verbs::keys::which;
use serde_json::Value;

use super::{advised, answer};
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::settings;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A key as it stands in the store, in either layout.
    #[arg(allow_hyphen_values = true)]
    key: OsString,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let keys = settings::keys(global, Layout::Plain)?;
    let found = which(&keys, args.key.as_bytes());
    let found = found.map_err(|fault| advised(fault, "`quorate keys ls` lists the patterns"))?;
    let value = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let listed: Vec<String> =
        found.bindings.iter().map(|(name, bound)| format!("{name}={}", value(bound))).collect();
    let bound = if listed.is_empty() { String::new() } else { format!(" ({})", listed.join(", ")) };
    let text = format!("{}.{} · {}{bound} · {}", found.system, found.family, found.kind, found.purpose);
    Ok(answer(&found, View::Text(text)))
}
