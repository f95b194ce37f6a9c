//! Where everything is under one data directory. No other file spells these names.

use std::path::{Path, PathBuf};

use crate::files;
use crate::{Error, Result};

#[derive(Debug, Clone)]
pub(crate) struct Layout {
    root: PathBuf,
}

impl Layout {
    /// Creates the directories that are missing, all private, and makes the path absolute: the engine changes its
    /// working directory, so a relative path would name another place there.
    pub(crate) fn create(data_dir: &Path) -> Result<Self> {
        let failed = |source| Error::DataDir { path: data_dir.to_owned(), source };
        files::private_dir(data_dir).map_err(failed)?;
        let layout = Self { root: data_dir.canonicalize().map_err(failed)? };
        files::private_dir(&layout.engine()).map_err(failed)?;
        files::private_dir(&layout.store()).map_err(failed)?;
        Ok(layout)
    }

    /// For readers, who must not create anything.
    pub(crate) fn of(data_dir: &Path) -> Self {
        Self { root: data_dir.to_owned() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Held by the process that owns the directory.
    pub(crate) fn lease(&self) -> PathBuf {
        self.root.join("quorate.lock")
    }

    /// Held by the engine itself, as long as it lives.
    pub(crate) fn alive(&self) -> PathBuf {
        self.engine().join("engine.lock")
    }

    pub(crate) fn engine(&self) -> PathBuf {
        self.root.join("engine")
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.root.join("store")
    }

    /// The engine's append-only files.
    pub(crate) fn journal(&self) -> PathBuf {
        self.store().join("appendonlydir")
    }

    pub(crate) fn conf(&self) -> PathBuf {
        self.engine().join("engine.conf")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.engine().join("engine.log")
    }

    pub(crate) fn password(&self) -> PathBuf {
        self.engine().join("password")
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.engine().join("engine.sock")
    }
}
