//! Whether an engine of this data directory is still alive, whoever started it.
//!
//! The engine gets a locked file as its standard input and so holds the `flock` as long as it lives, without knowing:
//! no process number can mislead us, on any Unix. After a `kill -9` of the owner the engine needs a moment to finish
//! its last writes; the next owner waits for exactly that, because two engines must never have one store.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::layout::Layout;
use crate::{Error, Result};

#[derive(Debug)]
pub(crate) struct Alive {
    file: File,
}

impl Alive {
    /// Waits until the engine of an earlier owner has gone. It is never killed: we did not start it.
    pub(crate) fn claim(layout: &Layout, previous_engine: Option<u32>, patience: Duration) -> Result<Self> {
        let file = open(&layout.alive()).map_err(|source| Error::DataDir { path: layout.alive(), source })?;
        let deadline = Instant::now() + patience;
        while file.try_lock().is_err() {
            if Instant::now() >= deadline {
                let data_dir = layout.root().to_owned();
                return Err(Error::StillFinishing { pid: previous_engine, data_dir });
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(Self { file })
    }

    /// A copy that shares the lock, to be the engine's standard input.
    pub(crate) fn stdin(&self) -> io::Result<Stdio> {
        Ok(self.file.try_clone()?.into())
    }
}

/// Whether nobody holds the lock at this path.
pub(crate) fn is_free(path: &Path) -> bool {
    open(path).is_ok_and(|file| file.try_lock().is_ok())
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}
