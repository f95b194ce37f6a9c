//! Where things are: the workspace root and the target that the toolchain on this machine builds for.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// The target triple of the machine, as rustc names it.
pub(crate) fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = Command::new(rustc).arg("-vV").output();
    let out = out.map_err(|e| format!("rustc did not run ({e}); install a Rust toolchain first"))?;
    let text = String::from_utf8_lossy(&out.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host; check the Rust toolchain".to_owned())
}

/// Where cargo builds to.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
