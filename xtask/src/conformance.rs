//! Conformance, n of 114: which families have shown both directions against the seed's own commands.
//!
//! A passing case leaves a file named after its family under `target/conformance/`. A capability listed in
//! `conformance.toml` as finished owes a case for every seed family it has.

use std::collections::BTreeSet;
use std::fs;

use quorate_catalog::{Catalog, Family};
use serde::Deserialize;

use crate::{say, workspace};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    finished: Vec<String>,
}

/// Forgets what an earlier run showed.
pub(crate) fn reset() -> Result<(), String> {
    let folder = folder();
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Prints the count and refuses a finished capability that owes a case.
pub(crate) fn report() -> Result<String, String> {
    let catalog = Catalog::built_in();
    let shown = shown()?;
    let finished = finished(catalog)?;
    let seeds: Vec<&Family> = catalog.families.iter().filter(|family| family.of_the_seed()).collect();
    let owing: Vec<String> = seeds
        .iter()
        .filter(|family| finished.contains(&family.capability) && !shown.contains(&family.full_name()))
        .map(|family| family.full_name())
        .collect();
    if !owing.is_empty() {
        return Err(format!("conformance: finished capabilities owe a case for {}", owing.join(", ")));
    }
    let count = seeds.iter().filter(|family| shown.contains(&family.full_name())).count();
    say::info(&format!("conformance: {count} of {} families", seeds.len()));
    Ok(format!("{count} of {}", seeds.len()))
}

pub(crate) fn folder() -> std::path::PathBuf {
    workspace::target_dir().join("conformance")
}

fn shown() -> Result<BTreeSet<String>, String> {
    let folder = folder();
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

fn finished(catalog: &Catalog) -> Result<BTreeSet<String>, String> {
    let path = workspace::root().join("conformance.toml");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let settings: Settings = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let known = |name: &String| catalog.families.iter().any(|family| family.capability == *name);
    match settings.finished.iter().find(|name| !known(name)) {
        Some(name) => Err(format!("{}: {name} is no capability of the catalog", path.display())),
        None => Ok(settings.finished.into_iter().collect()),
    }
}
