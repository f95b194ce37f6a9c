//! `cargo xtask codegen [--check]`: writes what derives from the catalog, or says what is stale.

use std::fs;
use std::path::Path;

use quorate_catalog::{Catalog, codegen, load};

use crate::{say, workspace};

pub(crate) fn run(check: bool) -> Result<(), String> {
    let root = workspace::root();
    // Loaded afresh rather than through the built-in, so that a mistake is a message and not a panic.
    let catalog = Catalog::load(&load::built_in_sources()).map_err(|errors| errors.to_string())?;
    let outputs = codegen::outputs(&catalog);
    let is_stale = |output: &&codegen::Output| {
        fs::read_to_string(root.join(&output.path)).ok().as_ref() != Some(&output.text)
    };
    let stale: Vec<_> = outputs.iter().filter(is_stale).collect();
    if check && !stale.is_empty() {
        let paths: Vec<&str> = stale.iter().map(|output| output.path.as_str()).collect();
        return Err(format!("run `cargo xtask codegen`; stale: {}", paths.join(", ")));
    }
    for output in &stale {
        write(&root.join(&output.path), &output.text)?;
    }
    say::info(&format!("codegen: {} files, {} written", outputs.len(), stale.len()));
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().ok_or("a generated file has a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|e| format!("{}: {e}", path.display()))
}
