//! `quorate keys ls`.

use quorate_catalog::{Catalog, Family, Kind, Layout};
use serde_json::Value;

use super::summary;
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::settings;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only families of this system.
    #[arg(long)]
    system: Option<String>,
    /// Only families of this capability.
    #[arg(long)]
    capability: Option<String>,
    /// Only families of this kind: string, hash, list, set, zset, stream, channel or group.
    #[arg(long)]
    kind: Option<String>,
    /// The spelling of this layout.
    #[arg(long, default_value_t = Layout::Plain)]
    layout: Layout,
    /// Add the plane's own families to the seeds'.
    #[arg(long)]
    internal: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let catalog = Catalog::built_in();
    check_filters(catalog, args)?;
    let keys = settings::keys(global, args.layout)?;
    let families: Vec<&Family> = catalog.families.iter().filter(|family| wanted(args, family)).collect();
    let rows =
        families.iter().map(|family| row(&keys.pattern(catalog, family).to_string(), family)).collect();
    let json = families.iter().map(|family| summary(catalog, &keys, family)).collect::<Vec<Value>>();
    let header = &["system", "family", "pattern", "kind", "retention", "capability"];
    Ok(Answer::new(Value::Array(json), View::Rows { header, rows }))
}

/// A filter that can match nothing is a mistake, not an empty answer.
fn check_filters(catalog: &Catalog, args: &Args) -> Result<(), Failure> {
    let known = |what: &str, given: &Option<String>, has: &dyn Fn(&Family, &str) -> bool| match given {
        Some(value) if !catalog.families.iter().any(|family| has(family, value)) => Err(Failure::bad_input(
            format!("no family has the {what} \"{}\"", quorate_catalog::rule::show(value)),
        )),
        _ => Ok(()),
    };
    known("system", &args.system, &|family, value| family.system == value)?;
    known("capability", &args.capability, &|family, value| family.capability == value)?;
    known("kind", &args.kind, &|family, value| has_kind(family, value))
}

fn has_kind(family: &Family, kind: &str) -> bool {
    family.kinds.iter().any(|own: &Kind| own.as_str() == kind)
}

fn wanted(args: &Args, family: &Family) -> bool {
    let same = |given: &Option<String>, own: &str| given.as_ref().is_none_or(|given| given == own);
    (args.internal || !family.internal)
        && same(&args.system, &family.system)
        && same(&args.capability, &family.capability)
        && args.kind.as_ref().is_none_or(|kind| has_kind(family, kind))
}

fn row(pattern: &str, family: &Family) -> Vec<String> {
    [
        &family.system,
        &family.name,
        pattern,
        &family.kind_text(),
        &family.retention.to_string(),
        &family.capability,
    ]
    .map(String::from)
    .to_vec()
}
