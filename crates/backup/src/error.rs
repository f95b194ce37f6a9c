//! Everything that can go wrong with a copy, each as one sentence that says what to do next.

use std::io;
use std::path::{Path, PathBuf};

use quorate_catalog::rule::show;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("{} exists: choose another name, or give --force to replace it", path.display())]
    Exists { path: PathBuf },

    #[error("{} does not exist: check the path", path.display())]
    NoFile { path: PathBuf },

    #[error("{} cannot be written ({source}): choose a directory that exists and that you may write", path.display())]
    Unwritable { path: PathBuf, source: io::Error },

    #[error("{} cannot be written, the disk is full: free some space or choose another directory", path.display())]
    Full { path: PathBuf },

    #[error("{} cannot be read ({source}): check the path and its permissions", path.display())]
    Unreadable { path: PathBuf, source: io::Error },

    #[error(
        "{} cannot be written ({source}), where the copy is unpacked to be read: free some space there, or choose \
         another place by FILE for a backup and by TMPDIR for a restore", path.display()
    )]
    Workplace { path: PathBuf, source: io::Error },

    #[error("{} is no backup of a store: give a file that `quorate backup` made", path.display())]
    NotABackup { path: PathBuf },

    #[error("{} has format {format}, and this quorate reads format 1: use a newer quorate", path.display())]
    Newer { path: PathBuf, format: String },

    #[error("{} is damaged ({why}): nothing was restored; use another copy of it", path.display())]
    Damaged { path: PathBuf, why: String },

    #[error("{server} cannot be reached for a copy ({source}): check that it runs and take the backup again")]
    NoStream { server: String, source: io::Error },

    #[error(
        "{server} gives no copy of itself ({said}): allow this user the command SYNC (ACL rule +sync), \
         and ask the provider if the server is managed"
    )]
    Refused { server: String, said: String },

    #[error(
        "{server} broke off after {bytes} bytes of its copy ({why}): look at its log and its disk space, raise its \
         client-output-buffer-limit for replicas if writes are heavy, and take the backup again"
    )]
    CutOff { server: String, bytes: u64, why: String },

    #[error(
        "slots of the cluster are moving between nodes: take the backup again when the cluster has settled"
    )]
    Moving,

    #[error(
        "the engine that checks copies cannot read this one ({reason}): set QUORATE_ENGINE_BIN to a server at least as \
         new as the one the copy is from ({server})"
    )]
    Incompatible { server: String, reason: String },

    #[error(
        "the target holds {keys} keys: restore into an empty store, or give --replace to delete them first"
    )]
    NotEmpty { keys: u64 },

    #[error(
        "a restore that began at {since} has not ended in this store: if it no longer runs, \
         give --replace to start over"
    )]
    Unfinished { since: String },

    #[error(
        "this store holds a part of a copy, from a restore that began at {since}: finish it with \
         `quorate restore FILE --replace` before a backup"
    )]
    Partial { since: String },

    #[error(
        "the backup has the plain layout, and a cluster needs the tagged one: restore into a single server"
    )]
    Layout,

    #[error(
        "{fields} hash fields of the backup have an expiry of their own, which this server cannot keep: \
         restore into Valkey 9.0, Redis 7.4 or newer"
    )]
    FieldExpiry { fields: u64 },

    #[error(
        "the key {} is a {kind}, which is no type of Redis 7.0 or Valkey: delete or move it first",
        shown(key)
    )]
    UnknownType { key: Vec<u8>, kind: String },

    #[error(
        "the key {} changes while it is read: stop whatever writes to the store and start again",
        shown(key)
    )]
    Unstable { key: Vec<u8> },

    #[error(
        "{total} keys of the restored store differ from the backup ({}): stop whatever else writes to the store and \
         repeat with --replace", keys.join(", ")
    )]
    Differs { total: u64, keys: Vec<String> },

    #[error(
        "the engine reads other content from the backup than its manifest says: unset QUORATE_ENGINE_BIN, or set it to \
         the server that the backup was verified with, and repeat with --replace"
    )]
    Unfaithful,

    #[error(transparent)]
    Store(#[from] quorate_store::Error),

    #[error(transparent)]
    Engine(#[from] quorate_engine::Error),
}

impl Error {
    /// A failed write, by what the system says about it.
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path: path.to_owned() },
            io::ErrorKind::AlreadyExists => Self::Exists { path: path.to_owned() },
            _ => Self::Unwritable { path: path.to_owned(), source },
        }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound => Self::NoFile { path: path.to_owned() },
            _ => Self::Unreadable { path: path.to_owned(), source },
        }
    }

    pub(crate) fn workplace(path: &Path, source: io::Error) -> Self {
        Self::Workplace { path: path.to_owned(), source }
    }

    pub(crate) fn damaged(path: &Path, why: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), why: why.into() }
    }
}

/// Keys are bytes of anybody's making: shown shortened and escaped.
pub(crate) fn shown(key: &[u8]) -> String {
    show(&String::from_utf8_lossy(key))
}
