//! A consistent, verified copy of a whole store in one file, and its way back.
//!
//! # Layout
//! - [`backup`] asks every master for the snapshot it would give a replica (`sync`), writes it to one file (`file`) and
//!   loads it in a private engine (`private`) before the file gets its name.
//! - [`restore`] checks the whole file, loads it in a private engine and copies it key by key (`copy`), so that the
//!   target may be any supported server of any shape.
//! - `digest` says what a key holds in a few bytes that do not depend on the server; `verify` compares.
//!
//! **Invariant:** nothing of a target is touched before the file has been found whole, and a store that holds only a
//! part of a copy says so by a marker until it holds all of it.

mod admission;
mod backup;
mod copy;
mod digest;
mod error;
mod file;
mod marker;
mod private;
mod restore;
mod side;
mod sync;
mod topology;
mod verify;

pub use backup::{Taken, backup};
pub use error::{Error, Result};
pub use file::{Manifest, Shard};
pub use restore::{Restored, finish, restore, restore_noted};

use quorate_engine::Binary;

/// What the work is doing now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// A server's snapshot comes in; counted in bytes.
    Receiving,
    /// The file is read from end to end; counted in bytes.
    Checking,
    /// The copy is read in a private engine; counted in keys.
    Verifying,
    /// What the target held is deleted; counted in keys.
    Clearing,
    /// Keys are written to the target; counted in keys.
    Restoring,
}

impl Phase {
    /// What the numbers count.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Receiving => "bytes received",
            Self::Checking => "bytes checked",
            Self::Verifying => "keys verified",
            Self::Clearing => "keys deleted",
            Self::Restoring => "keys restored",
        }
    }
}

/// Told how much of a phase is done, and of how much; the second is 0 while nobody knows.
pub type Progress<'p> = &'p (dyn Fn(Phase, u64, u64) + Send + Sync);

/// What a caller may choose.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Backup: take the place of a file that exists. Restore: delete what the target holds.
    pub replace: bool,
    /// The server that reads the copy; otherwise `Binary::choose` decides.
    pub binary: Option<Binary>,
}

impl Options {
    /// With `replace` set as given.
    pub fn replace(replace: bool) -> Self {
        Self { replace, binary: None }
    }
}
