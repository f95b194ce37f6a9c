//! `quorate keys which KEY`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use quorate_catalog::{Catalog, Layout, Matcher};
use serde_json::{Map, Value, json};

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
    let catalog = Catalog::built_in();
    for layout in [Layout::Plain, Layout::Tagged] {
        let matcher = Matcher::new(catalog, &settings::keys(global, layout)?);
        if let Some(found) = matcher.find(args.key.as_bytes()) {
            return Ok(answer(catalog, layout, &found));
        }
    }
    let shown = quorate_catalog::rule::show(&args.key.to_string_lossy());
    Err(Failure::not_found(format!("\"{shown}\" fits no family of the catalog"))
        .advise("`quorate keys ls` lists the patterns"))
}

fn answer(catalog: &Catalog, layout: Layout, found: &quorate_catalog::Match<'_>) -> Answer {
    let family = &catalog.families[found.family];
    let form = &family.forms[found.form];
    let bindings = Matcher::bindings(catalog, found);
    let listed: Vec<String> = bindings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let bound: Map<String, Value> = bindings.into_iter().map(|(name, value)| (name, value.into())).collect();
    let pattern = form.pattern(layout);
    let json = json!({
        "system": family.system, "family": family.name, "form": form.name, "kind": family.kind_text(),
        "bindings": bound, "layout": layout, "pattern": pattern.to_string(), "capability": family.capability,
        "internal": family.internal, "purpose": family.purpose,
    });
    let bound = if listed.is_empty() { String::new() } else { format!(" ({})", listed.join(", ")) };
    let text = format!("{} · {}{bound} · {}", family.full_name(), family.kind_text(), family.purpose);
    Answer::new(json, View::Text(text))
}
