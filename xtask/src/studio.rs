//! The web app: built where Node is, left out aloud where it is not.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::stages::{cargo, run};
use crate::{browser, say, workspace};

/// What `npm run gen` writes.
const CLIENT: [&str; 2] = ["src/api/openapi.json", "src/api/schema.ts"];

pub(crate) fn folder() -> PathBuf {
    workspace::root().join("studio")
}

/// The app for the binary to carry. Without Node the binary is built without it.
pub(crate) fn build() -> Result<(), String> {
    if !has_node() {
        say::info(
            "studio: Node is not installed, so the binary carries no Studio; install Node 20 or newer for it",
        );
        return Ok(());
    }
    install()?;
    npm(&["run", "build"])
}

/// What must hold of the app: types and style, and that it can be built.
pub(crate) fn check() -> Result<(), String> {
    if !has_node() {
        return Err("install Node 20 or newer first (on Debian: apt-get install nodejs npm)".to_owned());
    }
    install()?;
    npm(&["run", "check"])?;
    npm(&["run", "build"])
}

/// `cargo xtask client`: the app's client, made from the API of this tree.
pub(crate) fn client() -> Result<(), String> {
    cargo(&["build", "--quiet", "-p", "quorate-cli"], &[])?;
    install()?;
    browser::with_plane(|plane| generate(&plane.url).map(drop))
}

/// Says that the app's client is stale, if it does not fit the API of a running server; it is written anew then.
pub(crate) fn fits(url: &str) -> Result<(), String> {
    if generate(url)? {
        return Ok(());
    }
    Err("the Studio's client did not fit the API; it does now: look at studio/src/api and commit it"
        .to_owned())
}

/// Writes the client; whether it was the same already.
fn generate(url: &str) -> Result<bool, String> {
    let read = || CLIENT.map(|file| fs::read(folder().join(file)).unwrap_or_default());
    let before = read();
    npm(&["run", "--silent", "gen", "--", url])?;
    Ok(read() == before)
}

fn has_node() -> bool {
    Command::new("npm").arg("--version").output().is_ok_and(|out| out.status.success())
}

/// What the lock file names, unless it is there already.
pub(crate) fn install() -> Result<(), String> {
    let (lock, made) = (folder().join("package-lock.json"), folder().join("node_modules/.package-lock.json"));
    let written = |path: PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    if written(made).is_some_and(|made| written(lock).is_some_and(|lock| made > lock)) {
        return Ok(());
    }
    // `ci` refuses a lock file without the packages of other platforms, which not every registry has.
    npm(&["ci", "--no-audit", "--no-fund", "--prefer-offline"]).or_else(|_| {
        say::info("studio: installing what the lock file names for this platform");
        npm(&["install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline"])
    })
}

pub(crate) fn npm(args: &[&str]) -> Result<(), String> {
    // A browser of our own is never downloaded: tests use the system's.
    run(Command::new("npm").args(args).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1").current_dir(folder()))
}
