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
    ("queues", "quorate-plane", "queues"),
    ("status", "quorate-plane", "status"),
    ("search", "quorate-plane", "search"),
];

pub(crate) fn run(name: Option<&str>) -> Result<(), String> {
    let chosen: Vec<_> = BENCHES.iter().filter(|(own, ..)| name.is_none_or(|name| name == *own)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = BENCHES.iter().map(|(own, ..)| *own).collect();
        return Err(format!("no benchmark of that name; there are: {}", names.join(", ")));
    }
    chosen.iter().try_for_each(|(name, package, target)| {
        let peers = match *name {
            "locks" => ready(lock_peers()),
            "queues" => ready(queue_peers()),
            "status" => ready(status_peers()),
            _ => Vec::new(),
        };
        let env: Vec<(&str, &str)> = peers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        cargo(&["bench", "-q", "-p", package, "--bench", target], &env)
    })
}

type Peer = (&'static str, Result<String, String>);

/// A peer that cannot be prepared is left out; the report of the benchmark says so too.
fn ready<const N: usize>(peers: [Peer; N]) -> Vec<(&'static str, String)> {
    let found = peers.into_iter();
    found
        .filter_map(|(name, line)| line.map(|line| (name, line)).map_err(|why| say::error(&why)).ok())
        .collect()
}

/// Other lock libraries, ready to run beside ours.
fn lock_peers() -> [Peer; 2] {
    let (folder, made) = (root().join("benches/lock-peers"), target_dir().join("lock-peers"));
    let redis_py = python(&folder, &made.join("venv"))
        .map(|python| format!("{} {}", python.display(), folder.join("redis_py.py").display()));
    [("QUORATE_BENCH_RSLOCK", program("lock-peers")), ("QUORATE_BENCH_REDIS_PY", redis_py)]
}

/// Other queues, ready to run beside ours.
fn queue_peers() -> [Peer; 2] {
    [("QUORATE_BENCH_BULLMQ", bullmq()), ("QUORATE_BENCH_APALIS", program("queue-peers"))]
}

/// The seed's separate commands by an asyncio client, ready to run beside ours.
fn status_peers() -> [Peer; 1] {
    let (folder, made) = (root().join("benches/status-peers"), target_dir().join("status-peers"));
    let redis_py = python(&folder, &made.join("venv"))
        .map(|python| format!("{} {}", python.display(), folder.join("redis_py.py").display()));
    [("QUORATE_BENCH_REDIS_PY", redis_py)]
}

/// A program of `benches`, which is a workspace of its own.
fn program(name: &str) -> Result<String, String> {
    let made = target_dir().join(name);
    let [manifest, out] = [root().join("benches").join(name).join("Cargo.toml"), made.clone()]
        .map(|path| path.display().to_string());
    cargo(
        &["build", "-q", "--release", "--locked", "--manifest-path", &manifest, "--target-dir", &out],
        &[],
    )?;
    Ok(made.join("release").join(name).display().to_string())
}

/// A folder with BullMQ as its lock file names it; npm and Node must be there.
fn bullmq() -> Result<String, String> {
    let (from, to) = (root().join("benches/bullmq"), target_dir().join("bullmq"));
    std::fs::create_dir_all(&to).map_err(|why| format!("{}: {why}", to.display()))?;
    for name in ["package.json", "package-lock.json", "bench.mjs"] {
        std::fs::copy(from.join(name), to.join(name)).map_err(|why| format!("{name}: {why}"))?;
    }
    start(
        Command::new("npm")
            .args(["ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"])
            .current_dir(&to),
    )?;
    Ok(to.display().to_string())
}

/// A Python of its own with what `requirements.txt` names.
fn python(folder: &Path, venv: &Path) -> Result<PathBuf, String> {
    let python = venv.join("bin/python");
    start(Command::new("python3").args(["-m", "venv"]).arg(venv))?;
    let install = ["-m", "pip", "install", "-q", "-r"];
    start(Command::new(&python).args(install).arg(folder.join("requirements.txt")))?;
    Ok(python)
}
