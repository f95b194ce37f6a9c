//! Decides whether this build carries an engine.
//!
//! `cargo xtask engine` puts the server under `.engine/<target>/`. If it is there and has the checksum of
//! `engine.lock`, the library includes its bytes (cfg `engine_carried`); if not, the build passes without it and
//! `Binary::choose` explains at run time what to do. A wrong file is never carried.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
struct Lock {
    server: String,
    target: BTreeMap<String, Target>,
}

#[derive(Deserialize)]
struct Target {
    binary_sha256: String,
}

fn main() {
    tell("rustc-check-cfg=cfg(engine_carried)");
    tell("rerun-if-changed=build.rs");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../..");
    let lock_file = root.join("engine.lock");
    let triple = variable("TARGET");
    let server = root.join(".engine").join(&triple).join("valkey-server");
    tell(&format!("rerun-if-changed={}", lock_file.display()));
    tell(&format!("rerun-if-changed={}", server.display()));
    carry(&lock_file, &triple, &server);
}

fn carry(lock_file: &Path, triple: &str, server: &Path) {
    let Ok(bytes) = std::fs::read(server) else { return };
    let Some((version, expected)) = read_lock(lock_file, triple) else {
        return tell(&format!(
            "warning=engine.lock has no readable entry for {triple}; building without an engine"
        ));
    };
    let found = hex::encode(Sha256::digest(bytes));
    if found != expected {
        return tell(&format!(
            "warning={} is not the server engine.lock names; building without an engine (run `cargo xtask engine`)",
            server.display()
        ));
    }
    tell("rustc-cfg=engine_carried");
    tell(&format!("rustc-env=QUORATE_CARRIED_FILE={}", server.display()));
    tell(&format!("rustc-env=QUORATE_CARRIED_SHA256={found}"));
    tell(&format!("rustc-env=QUORATE_CARRIED_VERSION={version}"));
}

fn read_lock(lock_file: &Path, triple: &str) -> Option<(String, String)> {
    let lock: Lock = toml::from_str(&std::fs::read_to_string(lock_file).ok()?).ok()?;
    let target = lock.target.get(triple)?;
    Some((lock.server, target.binary_sha256.clone()))
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

fn tell(line: &str) {
    println!("cargo::{line}");
}
