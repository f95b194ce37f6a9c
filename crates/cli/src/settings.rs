//! What the environment and the flags say about a deployment, before any server is asked.

use std::path::PathBuf;

use quorate_catalog::{Catalog, Keys, Layout, Namespace, Prefixes};

use crate::args::Global;
use crate::failure::{Exit, Failure};

/// The builders for a layout, with the namespace and prefixes this process was given.
pub(crate) fn keys(global: &Global, layout: Layout) -> Result<Keys, Failure> {
    let namespace: Namespace = global.namespace.parse().map_err(Failure::bad_input)?;
    let prefixes = prefixes()?;
    // The seeds' own prefixes were checked when the catalog was written.
    let given = prefixes != Prefixes::default();
    let keys = Keys::new(namespace, layout, prefixes);
    match given.then(|| keys.clash(Catalog::built_in())).flatten() {
        Some(why) => Err(Failure::bad_input(format!("the prefixes that the environment gives: {why}"))),
        None => Ok(keys),
    }
}

fn prefixes() -> Result<Prefixes, Failure> {
    let mut prefixes = Prefixes::default();
    for (_, env, value) in prefixes.entries_mut() {
        let given = env.and_then(|name| std::env::var(name).ok().map(|text| (name, text)));
        if let Some((name, text)) = given.filter(|(_, text)| !text.is_empty()) {
            *value = Prefixes::check(&text).map_err(|why| Failure::bad_input(format!("{name}: {why}")))?;
        }
    }
    Ok(prefixes)
}

/// Where the carried engine lives: the flag, the environment, or the platform's data directory.
pub(crate) fn data_dir(global: &Global) -> Result<PathBuf, Failure> {
    use etcetera::BaseStrategy;
    if let Some(dir) = &global.data_dir {
        return Ok(dir.clone());
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        Failure::new(Exit::Fault, "no home directory is known").advise("name one with --data-dir")
    })?;
    Ok(strategy.data_dir().join("quorate"))
}
