//! `cargo xtask mutants [NAME]`: breaks the code on purpose and insists that a test notices.
//!
//! Each file under `mutants/` names one place, what to put there instead, and the test that must go red. The
//! work is done in a copy of the tree, so a run that is cut off leaves nothing broken behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::{say, workspace};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    /// The guarantee that is taken away, in a few words.
    breaks: String,
    file: String,
    find: String,
    replace: String,
    /// Arguments of `cargo test` that run the test which must fail.
    test: Vec<String>,
}

pub(crate) fn run(name: Option<&str>) -> Result<(), String> {
    let mutants = load(name)?;
    let tree = Tree::copy()?;
    let mut survivors = Vec::new();
    for (name, mutant) in &mutants {
        say::info(&format!("== {name}: {}", mutant.breaks));
        if let Err(why) = tree.kill(mutant) {
            say::error(&format!("{name}: {why}"));
            survivors.push(name.as_str());
        }
    }
    say::info(&format!("{} of {} mutants were noticed", mutants.len() - survivors.len(), mutants.len()));
    if survivors.is_empty() { Ok(()) } else { Err(format!("not noticed: {}", survivors.join(", "))) }
}

fn load(only: Option<&str>) -> Result<Vec<(String, Mutant)>, String> {
    let folder = workspace::root().join("mutants");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    paths.sort();
    let mut mutants = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if only.is_none_or(|only| only == name) {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            mutants
                .push((name, toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?));
        }
    }
    if mutants.is_empty() { Err("no mutant of that name under mutants/".into()) } else { Ok(mutants) }
}

/// A copy of the tree with its own build directory.
struct Tree {
    root: PathBuf,
}

impl Tree {
    fn copy() -> Result<Self, String> {
        let root = workspace::target_dir().join("mutants/tree");
        let listed = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
            .current_dir(workspace::root())
            .output()
            .map_err(|error| format!("git did not run: {error}"))?;
        let text = String::from_utf8_lossy(&listed.stdout).into_owned();
        text.split('\0').filter(|path| !path.is_empty()).try_for_each(|path| copy_changed(path, &root))?;
        link_engine(&root)?;
        Ok(Self { root })
    }

    /// Green as it is, red with the change: anything else is a survivor.
    fn kill(&self, mutant: &Mutant) -> Result<(), String> {
        let path = self.root.join(&mutant.file);
        let sound = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", mutant.file))?;
        if sound.matches(&mutant.find).count() != 1 {
            return Err(format!("`find` must stand exactly once in {}", mutant.file));
        }
        if !self.test(&mutant.test, false)? {
            return Err("its test fails on the sound code, or does not exist".into());
        }
        write(&path, &sound.replace(&mutant.find, &mutant.replace))?;
        let verdict = self.test(&mutant.test, true).and_then(|compiled| {
            if !compiled {
                return Err("the change does not compile".to_owned());
            }
            self.test(&mutant.test, false)
        });
        write(&path, &sound)?;
        if verdict? { Err("its test stays green".into()) } else { Ok(()) }
    }

    /// Whether the tests pass (or, with `build_only`, compile). A filter that runs no test does not pass.
    fn test(&self, args: &[String], build_only: bool) -> Result<bool, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("test").args(if build_only { &["--no-run"][..] } else { &[] }).args(args);
        command.current_dir(&self.root).env("CARGO_TARGET_DIR", self.root.with_file_name("build"));
        let out = command.output().map_err(|error| format!("cargo did not run: {error}"))?;
        let text = String::from_utf8_lossy(&out.stdout);
        let ran = text.lines().any(|line| line.starts_with("running ") && !line.starts_with("running 0 "));
        Ok(out.status.success() && (build_only || ran))
    }
}

fn copy_changed(path: &str, root: &Path) -> Result<(), String> {
    let (from, to) = (workspace::root().join(path), root.join(path));
    let Ok(content) = fs::read(&from) else { return Ok(()) };
    // An unchanged file keeps its time, so that cargo does not build it again.
    if fs::read(&to).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let folder = to.parent().ok_or("a file has a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(&from, &to).map(drop))
        .map_err(|error| format!("{}: {error}", to.display()))
}

fn link_engine(root: &Path) -> Result<(), String> {
    let link = root.join(".engine");
    if link.exists() {
        return Ok(());
    }
    std::os::unix::fs::symlink(workspace::root().join(".engine"), &link)
        .map_err(|error| format!("{}: {error}", link.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
