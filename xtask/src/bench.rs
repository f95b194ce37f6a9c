//! `cargo xtask bench [NAME]`: the benchmarks, each a ratio or a rate against a stated bar.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::say;
use crate::stages::{cargo, run as start};
use crate::workspace::{root, target_dir};

/// Name, package and bench target.
const BENCHES: &[(&str, &str, &str)] = &[
    ("matcher", "quorate-catalog", "matcher"),
    ("locks", "quorate-plane", "locks"),
    ("http", "quorate-server", "http"),
];

pub(crate) fn run(name: Option<&str>) -> Result<(), String> {
    let chosen: Vec<_> = BENCHES.iter().filter(|(own, ..)| name.is_none_or(|name| name == *own)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = BENCHES.iter().map(|(own, ..)| *own).collect();
        return Err(format!("no benchmark of that name; there are: {}", names.join(", ")));
    }
    chosen.iter().try_for_each(|(name, package, target)| {
        let peers = if *name == "locks" { lock_peers() } else { Vec::new() };
        let env: Vec<(&str, &str)> = peers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        cargo(&["bench", "-q", "-p", package, "--bench", target], &env)
    })
}

/// Other lock libraries, ready to run beside ours. One that cannot be prepared is left out, and the report says so.
fn lock_peers() -> Vec<(&'static str, String)> {
    let (folder, made) = (root().join("benches/lock-peers"), target_dir().join("lock-peers"));
    let [manifest, out] = [folder.join("Cargo.toml"), made.clone()].map(|path| path.display().to_string());
    let build = ["build", "-q", "--release", "--locked", "--manifest-path", &manifest, "--target-dir", &out];
    let rslock = cargo(&build, &[]).map(|()| made.join("release/lock-peers").display().to_string());
    let redis_py = python(&folder, &made.join("venv"))
        .map(|python| format!("{} {}", python.display(), folder.join("redis_py.py").display()));
    let ready = [("QUORATE_BENCH_RSLOCK", rslock), ("QUORATE_BENCH_REDIS_PY", redis_py)];
    ready
        .into_iter()
        .filter_map(|(name, line)| line.map(|line| (name, line)).map_err(|why| say::error(&why)).ok())
        .collect()
}

/// A Python of its own with what `requirements.txt` names.
fn python(folder: &Path, venv: &Path) -> Result<PathBuf, String> {
    let python = venv.join("bin/python");
    start(Command::new("python3").args(["-m", "venv"]).arg(venv))?;
    let install = ["-m", "pip", "install", "-q", "-r"];
    start(Command::new(&python).args(install).arg(folder.join("requirements.txt")))?;
    Ok(python)
}
