//! The rules of the repository, as tests: there are no secret checks elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quorate_catalog::Catalog;

use crate::workspace;

struct File {
    path: String,
    text: String,
}

/// What git tracks or would track, as it is on disk.
fn files(ends: &[&str]) -> Vec<File> {
    let out = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(workspace::root())
        .output()
        .expect("git runs");
    let listed = String::from_utf8(out.stdout).expect("paths are text");
    let wanted = listed.lines().filter(|path| ends.iter().any(|end| path.ends_with(end)));
    let read = |path: &str| Some(File { path: path.into(), text: fs::read_to_string(root(path)).ok()? });
    wanted.filter_map(read).collect()
}

fn root(path: &str) -> PathBuf {
    workspace::root().join(path)
}

fn sources() -> Vec<File> {
    files(&[".rs"]).into_iter().filter(|file| !file.path.contains("/generated/")).collect()
}

fn none(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

fn paths_where(files: Vec<File>, bad: impl Fn(&File) -> bool) -> Vec<String> {
    files.into_iter().filter(bad).map(|file| file.path).collect()
}

#[test]
fn every_source_file_says_why_it_exists() {
    none("no //! at the top", paths_where(sources(), |file| !file.text.starts_with("//!")));
}

#[test]
fn no_file_has_grown_beyond_reading() {
    none("over 400 lines; cut it by concept", paths_where(sources(), |file| file.text.lines().count() > 400));
}

#[test]
fn nothing_is_stubbed_or_skipped() {
    let own = "xtask/src/tidy.rs";
    let words = ["#[ignore", "todo!(", "unimplemented!("];
    none(
        "stubs",
        paths_where(sources(), |file| file.path != own && words.iter().any(|word| file.text.contains(word))),
    );
}

#[test]
fn every_crate_keeps_the_workspace_lints_and_is_introduced() {
    let intro = fs::read_to_string(root("crates/README.md")).expect("crates/README.md");
    let manifests = files(&["Cargo.toml"]);
    let bad = |file: &File| {
        let Some(name) = file.path.strip_prefix("crates/").and_then(|path| path.strip_suffix("/Cargo.toml"))
        else {
            return false;
        };
        !file.text.contains("[lints]\nworkspace = true") || !intro.contains(&format!("**{name}**"))
    };
    none("no workspace lints, or not in crates/README.md", paths_where(manifests, bad));
}

#[test]
fn a_crate_with_one_test_binary_names_every_file_in_it() {
    let forgotten = [("plane", "plane.rs"), ("store", "store.rs")].into_iter().flat_map(|(name, main)| {
        let folder = root(&format!("crates/{name}/tests"));
        let named = fs::read_to_string(folder.join(main)).expect("the binary");
        // A folder with a `main.rs` would be a binary of its own elsewhere; here nothing builds it.
        let has_code = |path: &Path| {
            path.extension().is_some_and(|end| end == "rs")
                || ["mod.rs", "main.rs"].iter().any(|file| path.join(file).is_file())
        };
        let files = fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.path());
        let stems = files.filter(|path| has_code(path) && !path.ends_with(main)).filter_map(|path| {
            let stem = path.file_stem()?.to_string_lossy().into_owned();
            (!named.contains(&format!("mod {stem};"))).then_some(format!("crates/{name}/tests/{stem}"))
        });
        stems.collect::<Vec<_>>()
    });
    none("tests that nothing runs", forgotten.collect());
}

#[test]
fn no_key_is_spelled_outside_the_catalog() {
    let catalog = Catalog::built_in();
    let mut roots: Vec<String> = catalog
        .families
        .iter()
        .filter_map(|family| Some(format!("\"{}:", family.main_form().sample.split_once(':')?.0)))
        .collect();
    roots.sort();
    roots.dedup();
    let spells = |file: &File| {
        let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        file.path.contains("/src/")
            && !file.path.contains("catalog/")
            && !file.path.starts_with("xtask/")
            && roots.iter().any(|root| code.contains(root.as_str()))
    };
    none("spell a key; ask a builder", paths_where(sources(), spells));
}

#[test]
fn the_repository_speaks_of_the_product_alone() {
    let words =
        [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("py", "pi.org"), concat!("crates", ".io/")];
    let all = files(&[".rs", ".md", ".toml", ".lua", ".yml", ".json", "run"]);
    none(
        "machine paths or hosts",
        paths_where(all, |file| words.iter().any(|word| file.text.contains(word))),
    );
}

#[test]
fn every_mutant_still_fits_its_place() {
    let field = |text: &str, name: &str| -> String {
        let table: toml::Table = toml::from_str(text).expect("a mutant is TOML");
        table[name].as_str().expect("a text").to_owned()
    };
    let mutants = files(&[".toml"]).into_iter().filter(|file| file.path.starts_with("mutants/")).collect();
    let stale = |file: &File| {
        let target = fs::read_to_string(root(&field(&file.text, "file"))).unwrap_or_default();
        target.matches(&field(&file.text, "find")).count() != 1
    };
    none("`find` does not stand exactly once in its file", paths_where(mutants, stale));
}

#[test]
fn pages_link_only_to_what_is_there() {
    let broken = files(&[".md"]).into_iter().flat_map(|file| {
        let folder = root(&file.path).parent().expect("a folder").to_owned();
        let links = file.text.match_indices("](").map(|(at, _)| &file.text[at + 2..]);
        let targets = links.filter_map(|rest| rest.split_once(')').map(|(target, _)| target.to_owned()));
        let local = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
        let missing =
            local.filter(|target| !folder.join(target.split('#').next().unwrap_or_default()).exists());
        missing.map(|target| format!("{}: {target}", file.path)).collect::<Vec<_>>()
    });
    none("broken links", broken.collect());
}
