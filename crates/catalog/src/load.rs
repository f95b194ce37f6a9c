//! From the TOML files to the model.
//!
//! Loading refuses what a reader could misread: unknown fields, a missing purpose, a placeholder without a
//! rule, a sample that does not fit, two families that could claim one key. Every error names file and line,
//! and all of them are reported at once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};

use crate::model::{Family, System};
use crate::overlap;
use crate::rule::Rule;

mod check;
mod family;
mod raw;

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/catalog");

static BUILT_IN: LazyLock<Catalog> = LazyLock::new(|| {
    Catalog::load(&built_in_sources()).unwrap_or_else(|errors| panic!("the built-in catalog: {errors}"))
});

/// All families of all systems, in a fixed order: by system, file and place in the file.
#[derive(Debug, Clone)]
pub struct Catalog {
    pub systems: Vec<System>,
    pub rules: BTreeMap<String, Rule>,
    pub rule_docs: BTreeMap<String, String>,
    pub families: Vec<Family>,
}

/// One file of a catalog: its path under `catalog/` and its text.
#[derive(Debug, Clone)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
}

/// Everything that is wrong with a catalog, a line each.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct LoadError(pub Vec<Problem>);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct Problem {
    pub file: String,
    pub line: usize,
    pub message: String,
}

impl Catalog {
    /// The catalog this build was made from.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    pub fn load(files: &[SourceFile]) -> Result<Self, LoadError> {
        let mut problems = Vec::new();
        let catalog = read_all(files, &mut problems);
        if problems.is_empty() {
            check::families(&catalog, &mut problems);
            problems.extend(overlap::find(&catalog));
        }
        if problems.is_empty() { Ok(catalog) } else { Err(LoadError(problems)) }
    }

    /// Finds a family by its full name, `reverie.session`, or by its bare name where that is enough.
    pub fn find(&self, name: &str) -> Vec<&Family> {
        let matches = |family: &&Family| match name.split_once('.') {
            Some((system, bare)) => family.system == system && family.name == bare,
            None => family.name == name,
        };
        self.families.iter().filter(matches).collect()
    }

    pub fn system(&self, name: &str) -> Option<&System> {
        self.systems.iter().find(|system| system.name == name)
    }
}

/// The files the built-in catalog is made of.
pub fn built_in_sources() -> Vec<SourceFile> {
    let mut files = Vec::new();
    collect(&FILES, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn collect(dir: &Dir<'_>, files: &mut Vec<SourceFile>) {
    let is_toml = |path: &std::path::Path| path.extension().is_some_and(|end| end == "toml");
    for file in dir.files().filter(|file| is_toml(file.path())) {
        let text = file.contents_utf8().unwrap_or_default().to_owned();
        files.push(SourceFile { path: file.path().to_string_lossy().into_owned(), text });
    }
    dir.dirs().for_each(|inner| collect(inner, files));
}

fn read_all(files: &[SourceFile], problems: &mut Vec<Problem>) -> Catalog {
    let mut catalog =
        Catalog { systems: vec![], rules: BTreeMap::new(), rule_docs: BTreeMap::new(), families: vec![] };
    let named =
        |name: &'static str| files.iter().filter(move |file| file.path.rsplit('/').next() == Some(name));
    for file in named("ids.toml") {
        raw::read(file, problems, |ids: raw::Ids| family::add_rules(&mut catalog, ids));
    }
    for file in named("system.toml") {
        raw::read(file, problems, |system: raw::System| family::add_system(&mut catalog, file, system));
    }
    let other = |file: &&SourceFile| !file.path.ends_with("ids.toml") && !file.path.ends_with("system.toml");
    for file in files.iter().filter(other) {
        let mut faults = Vec::new();
        raw::read(file, problems, |content: raw::Capability| {
            family::add_families(&mut catalog, file, content, &mut faults);
        });
        problems.append(&mut faults);
    }
    catalog
}
