//! Everything that can go wrong with an engine, each as one sentence that says what to do next.
//!
//! The texts are shown to people as they are, so they name the flag or variable to change and never a secret.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::{Version, resp};

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(
        "this build carries no engine: run `cargo xtask engine` and build again, \
         set QUORATE_ENGINE_BIN to a valkey-server, or give a server of your own with REDIS_URL"
    )]
    NoBinary,

    #[error(
        "{} cannot be used as the engine ({reason}): set QUORATE_ENGINE_BIN to a valkey-server or redis-server, \
         or unset it",
        path.display()
    )]
    BadBinary { path: PathBuf, reason: String },

    #[error(
        "{} is {found}, which is too old: set QUORATE_ENGINE_BIN to Valkey 7.2 or Redis 7.0 or newer, or unset it",
        path.display()
    )]
    TooOld { path: PathBuf, found: Version },

    #[error("the data directory cannot be used ({}: {source}): give one that you can write with --data-dir", path.display())]
    DataDir { path: PathBuf, source: io::Error },

    #[error(
        "{} belongs to someone else or is open to others: remove it, or point TMPDIR to a directory of your own",
        path.display()
    )]
    UnsafeDir { path: PathBuf },

    #[error(
        "{} is already in use by process {pid}{}: use that one, stop it first, or give another --data-dir",
        data_dir.display(), serving(listen.as_deref())
    )]
    AlreadyRunning { pid: u32, data_dir: PathBuf, listen: Option<String> },

    #[error(
        "the engine of an earlier run{} still holds {}: wait a moment and start again, or end that process",
        process(*pid), data_dir.display()
    )]
    StillFinishing { pid: Option<u32>, data_dir: PathBuf },

    #[error(
        "port {port} on 127.0.0.1 is taken by another program: choose another one, or none to use only the socket"
    )]
    PortInUse { port: u16 },

    #[error(
        "the store has a damaged record in {}: keep a copy of {}, move it away and bring back the latest backup \
         with `quorate restore FILE`",
        file.display(), store.display()
    )]
    CorruptStore { file: PathBuf, store: PathBuf },

    #[error("the engine did not start ({reason}): see {}", log.display())]
    NotStarted { reason: String, log: PathBuf },

    #[error("the engine gave no answer within {limit:?} ({said}): see {}", log.display())]
    Silent { limit: Duration, said: String, log: PathBuf },

    #[error("{} cannot be run ({source}): check that the file system allows programs (noexec) and has space", path.display())]
    Spawn { path: PathBuf, source: io::Error },

    #[error("QUORATE_ENGINE_LEASH is {value:?}: use `kernel` (Linux) or `guard`, or unset it")]
    BadLeash { value: String },

    #[error(
        "the operating system refused ({what}: {source}): check its limits and free space, then start again"
    )]
    System { what: &'static str, source: io::Error },

    #[error("{what} after {limit:?}: look at the servers' logs, or give the machine less to do")]
    TooSlow { what: String, limit: Duration },

    #[error(transparent)]
    Client(#[from] resp::Error),
}

fn serving(listen: Option<&str>) -> String {
    listen.map(|address| format!(", which serves {address}")).unwrap_or_default()
}

fn process(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}
