//! `engine.lock` as data: one wheel per target, by checksum.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Lock {
    pub(crate) package: String,
    pub(crate) version: String,
    pub(crate) server: String,
    target: BTreeMap<String, Target>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) platform: String,
    pub(crate) wheel_sha256: String,
    pub(crate) binary: String,
    pub(crate) binary_sha256: String,
}

impl Lock {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text =
            std::fs::read_to_string(path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
        toml::from_str(&text).map_err(|e| format!("{} is not in its form: {e}", path.display()))
    }

    pub(crate) fn target(&self, triple: &str) -> Result<&Target, String> {
        self.target.get(triple).ok_or_else(|| {
            format!("engine.lock has no server for {triple}: build without it, and set QUORATE_ENGINE_BIN or REDIS_URL")
        })
    }
}
