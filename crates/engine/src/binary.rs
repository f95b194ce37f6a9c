//! Which server is run, and how the carried one reaches the disk.
//!
//! The carried bytes were checked against `engine.lock` at build time. At every start the unpacked file is compared
//! with them, byte for byte: that is stricter than a checksum and takes a millisecond, and it means that nothing but
//! the carried server is ever run under its name.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::layout::Layout;
use crate::{Error, Result, Version, files};

#[cfg(engine_carried)]
const CARRIED: Option<Carried> = Some(Carried {
    bytes: include_bytes!(env!("QUORATE_CARRIED_FILE")),
    sha256: env!("QUORATE_CARRIED_SHA256"),
    version: env!("QUORATE_CARRIED_VERSION"),
});
#[cfg(not(engine_carried))]
const CARRIED: Option<Carried> = None;

#[derive(Clone, Copy)]
struct Carried {
    bytes: &'static [u8],
    sha256: &'static str,
    version: &'static str,
}

/// The server to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binary {
    /// The one inside this program.
    Carried,
    /// One on this machine, used after a version probe.
    Named(PathBuf),
}

/// A server ready to be run. `replaced` says that a damaged file was in its place, which is worth telling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    pub path: PathBuf,
    pub replaced: bool,
}

impl Binary {
    /// The server that `QUORATE_ENGINE_BIN` names, else the carried one.
    pub fn choose() -> Result<Self> {
        match std::env::var_os("QUORATE_ENGINE_BIN").filter(|path| !path.is_empty()) {
            Some(path) => Ok(Self::Named(path.into())),
            None if CARRIED.is_some() => Ok(Self::Carried),
            None => Err(Error::NoBinary),
        }
    }

    /// A server on the `PATH`, for those who ask for it.
    pub fn on_path() -> Option<Self> {
        let dirs: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
        let places = ["valkey-server", "redis-server"].map(|name| dirs.iter().map(move |dir| dir.join(name)));
        places.into_iter().flatten().find(|place| place.is_file()).map(Self::Named)
    }

    /// The version of the carried server, if this build carries one.
    pub fn carried_version() -> Option<&'static str> {
        CARRIED.map(|carried| carried.version)
    }

    /// Makes the server ready to be run for this data directory.
    pub fn unpack(&self, data_dir: &Path) -> Result<Unpacked> {
        match self {
            Self::Named(path) => {
                Version::probe(path)?;
                // The engine is started from another directory, so a relative name would be lost there.
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                Ok(Unpacked { path, replaced: false })
            }
            Self::Carried => CARRIED.ok_or(Error::NoBinary)?.unpack(&Layout::of(data_dir).engine()),
        }
    }

    /// As `unpack`, to a directory of this user that all test servers share.
    pub fn unpack_shared(&self) -> Result<PathBuf> {
        let unpacked = match self {
            Self::Named(_) => self.unpack(Path::new("")),
            Self::Carried => CARRIED.ok_or(Error::NoBinary)?.unpack(&files::private_temp_dir("engine")?),
        };
        Ok(unpacked?.path)
    }
}

impl Carried {
    fn unpack(&self, dir: &Path) -> Result<Unpacked> {
        let path = dir.join(format!("valkey-server-{}", &self.sha256[..12]));
        let failed = |source| Error::DataDir { path: path.clone(), source };
        files::private_dir(dir).map_err(failed)?;
        let replaced = match self.is_at(&path) {
            Ok(true) => return Ok(Unpacked { path, replaced: false }),
            Ok(false) => true,
            Err(e) => e.kind() != io::ErrorKind::NotFound,
        };
        files::write(&path, self.bytes, 0o700).map_err(failed)?;
        Ok(Unpacked { path, replaced })
    }

    /// Whether the file has our bytes. Its mode is put right on the way: an archive or a copy may have lost it.
    fn is_at(&self, path: &Path) -> io::Result<bool> {
        if fs::read(path)? != self.bytes {
            return Ok(false);
        }
        fs::set_permissions(path, Permissions::from_mode(0o700))?;
        Ok(true)
    }
}
