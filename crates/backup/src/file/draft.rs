//! A file in the making. It lies beside its final name under another one, and has its name only when it is complete.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use super::{Manifest, SEAL_LENGTH, seal};
use crate::{Error, Result};

/// Room for the manifest: what does not depend on the shards, and for each of them.
const ROOM: usize = 2048;
const ROOM_PER_SHARD: usize = 512;

pub(crate) struct Draft {
    target: PathBuf,
    file: NamedTempFile,
    room: usize,
}

impl Draft {
    /// Begins a file with room for so many shards. One that exists is replaced only if that is asked for.
    pub(crate) fn create(target: &Path, shards: usize, replace: bool) -> Result<Self> {
        if !replace && fs::symlink_metadata(target).is_ok() {
            return Err(Error::Exists { path: target.to_owned() });
        }
        let failed = |source| Error::write(target, source);
        let name = target.file_name().ok_or_else(|| failed(io::ErrorKind::IsADirectory.into()))?;
        if target.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        // Made with mode 0600, and removed when this value goes away before its time.
        let mut name = name.to_owned();
        name.push(".");
        let draft = tempfile::Builder::new().prefix(&name).suffix(".partial").tempfile_in(folder(target));
        let room = ROOM + ROOM_PER_SHARD * shards;
        let mut draft = Self { target: target.to_owned(), file: draft.map_err(failed)?, room };
        draft.file.write_all(&vec![b' '; SEAL_LENGTH + room]).map_err(failed)?;
        Ok(draft)
    }

    /// The directory of the file, which is known to be writable.
    pub(crate) fn folder(&self) -> PathBuf {
        folder(&self.target)
    }

    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Adds bytes at the end.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|source| Error::write(&self.target, source))
    }

    /// Writes the manifest into its place.
    pub(crate) fn describe(&mut self, manifest: &Manifest) -> Result<()> {
        let mut line = serde_json::to_vec(manifest).unwrap_or_default();
        if line.is_empty() || line.len() >= self.room {
            return Err(Error::write(&self.target, io::Error::other("the manifest does not fit")));
        }
        line.resize(self.room - 1, b' ');
        line.push(b'\n');
        let head = [seal(&line).as_bytes(), &line].concat();
        let written = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.write_all(&head));
        written
            .and_then(|()| self.file.as_file().sync_all())
            .map_err(|source| Error::write(&self.target, source))
    }

    /// Gives the file its name, durably. A file that appeared there meanwhile is left alone unless `replace`.
    pub(crate) fn publish(self, replace: bool) -> Result<()> {
        let Self { target, file, .. } = self;
        let named = if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
        named.map_err(|failed| Error::write(&target, failed.error))?;
        // The name is durable when its directory is.
        let synced = File::open(folder(&target)).and_then(|folder| folder.sync_all());
        synced.map_err(|source| Error::write(&target, source))
    }
}

fn folder(target: &Path) -> PathBuf {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// Counts and hashes what goes by.
#[derive(Default)]
pub(crate) struct Meter {
    pub(crate) bytes: u64,
    hash: Sha256,
}

impl Meter {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }

    pub(crate) fn sha256(self) -> String {
        hex::encode(self.hash.finalize())
    }
}
