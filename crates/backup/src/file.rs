//! The file: one header, one manifest, and what each server gave.
//!
//! ```text
//! quorate backup 1 <sha256 of line 2, 64 hex digits>\n
//! <the manifest as one line of JSON, padded with spaces>\n
//! <the RDB of the first shard><the RDB of the second shard>…
//! ```
//!
//! Line 1 seals line 2, line 2 seals the rest by length and sha256 per shard, and nothing may follow: so every byte
//! of the file is covered. The manifest is padded because its facts are known last and it stands first; a reader
//! needs nothing but the beginning to know whether it can use the file.

mod draft;
mod reader;

pub(crate) use draft::{Draft, Meter};
pub(crate) use reader::open;

use quorate_catalog::Layout;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The beginning of line 1; the number after it is the format.
const MAGIC: &str = "quorate backup ";
const FORMAT: &str = "1";
/// Line 1: the magic, the format, a space, 64 digits and the line's end.
const SEAL_LENGTH: usize = MAGIC.len() + FORMAT.len() + 1 + 64 + 1;

/// What the file says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of quorate that made it.
    pub quorate: String,
    /// When it was made, by the server's clock.
    pub created: String,
    /// The server that gave it, as `valkey 9.1.2`.
    pub server: String,
    /// The database that was copied; a snapshot has all of them, a deployment lives in one.
    pub db: i64,
    /// Keys of other databases, which are in the snapshot and are not restored.
    pub other_keys: u64,
    /// The layout of the deployment, where one was recorded.
    pub layout: Option<Layout>,
    /// What each master gave, in the order of their bytes.
    pub shards: Vec<Shard>,
}

/// One master's part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The length of its RDB.
    pub bytes: u64,
    /// And what it hashes to.
    pub sha256: String,
    /// Keys that stay, the ones the digest is about.
    pub keys: u64,
    /// Keys that change by themselves, because they or their fields expire.
    pub expiring: u64,
    /// Hash fields with an expiry of their own.
    pub field_expiries: u64,
    /// The sum of what the staying keys hold, 32 hex digits.
    pub digest: String,
}

impl Manifest {
    /// All keys of all shards, as they were when the copy was verified.
    pub fn keys(&self) -> u64 {
        self.shards.iter().map(|shard| shard.keys + shard.expiring).sum()
    }

    pub(crate) fn field_expiries(&self) -> u64 {
        self.shards.iter().map(|shard| shard.field_expiries).sum()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| shard.bytes).sum()
    }
}

/// Line 1 for this line 2.
fn seal(line: &[u8]) -> String {
    format!("{MAGIC}{FORMAT} {}\n", hex::encode(Sha256::digest(line)))
}
