//! What the tests need from the machine: installed where we may, asked for in plain words where we may not.

use std::path::Path;
use std::process::Command;

use crate::say;
use crate::stages::run;

/// A program the tests start, and the Debian package that has it.
const NEEDED: &[(&str, &str)] = &[
    ("/usr/bin/redis-server", "redis-server"),
    ("/usr/bin/faketime", "faketime"),
    ("/usr/bin/chromium", "chromium"),
];

pub(crate) fn ensure() -> Result<(), String> {
    let missing: Vec<&str> =
        NEEDED.iter().filter(|(path, _)| !Path::new(path).exists()).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        say::info("everything the tests need is here");
        return Ok(());
    }
    if !may_install() {
        return Err(format!("install {} first (on Debian: apt-get install {0})", missing.join(" ")));
    }
    install(&missing)
}

fn may_install() -> bool {
    let root = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0");
    root && Path::new("/usr/bin/apt-get").exists()
}

fn install(packages: &[&str]) -> Result<(), String> {
    say::info(&format!("installing {}", packages.join(" ")));
    run(apt().args(["update", "-qq"]))?;
    // The package would start a server of its own; the tests start theirs.
    run(apt().args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages).env("RUNLEVEL", "1"))
}

fn apt() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}
