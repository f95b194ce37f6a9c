//! The web app: built where Node is, left out aloud where it is not.

use std::path::PathBuf;
use std::process::Command;

use crate::stages::run;
use crate::{say, workspace};

pub(crate) fn folder() -> PathBuf {
    workspace::root().join("studio")
}

/// Whether there is an app to build.
pub(crate) fn is_there() -> bool {
    let there = folder().join("package.json").exists();
    if !there {
        say::info("studio: there is no web app in this tree yet; nothing is built or tested");
    }
    there
}

/// The app for the binary to carry. Without Node the binary is built without it.
pub(crate) fn build() -> Result<(), String> {
    if !is_there() {
        return Ok(());
    }
    if !has_node() {
        say::info(
            "studio: Node is not installed, so the binary carries no Studio; install Node 20 or newer for it",
        );
        return Ok(());
    }
    install()?;
    npm(&["run", "build"])
}

/// What must hold of the app: types, style, and a client that fits the API of today.
pub(crate) fn check() -> Result<(), String> {
    if !is_there() {
        return Ok(());
    }
    if !has_node() {
        return Err("install Node 20 or newer first (on Debian: apt-get install nodejs npm)".to_owned());
    }
    install()?;
    npm(&["run", "check"])?;
    npm(&["run", "build"])
}

fn has_node() -> bool {
    Command::new("npm").arg("--version").output().is_ok_and(|out| out.status.success())
}

/// What the lock file names, unless it is there already.
fn install() -> Result<(), String> {
    let (lock, made) = (folder().join("package-lock.json"), folder().join("node_modules/.package-lock.json"));
    let written = |path: PathBuf| std::fs::metadata(path).and_then(|file| file.modified()).ok();
    if written(made).is_some_and(|made| written(lock).is_some_and(|lock| made > lock)) {
        return Ok(());
    }
    npm(&["ci", "--no-audit", "--no-fund", "--prefer-offline"])
}

pub(crate) fn npm(args: &[&str]) -> Result<(), String> {
    // A browser of our own is never downloaded: tests use the system's.
    run(Command::new("npm").args(args).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1").current_dir(folder()))
}
