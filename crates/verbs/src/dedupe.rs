//! Whether something was seen before.

mod check;
mod forget;

use quorate_catalog::ids::ContentHash;
use quorate_plane::dedupe::content_hash;

use crate::prelude::*;

pub use check::{Check, Seen};
pub use forget::{Forget, Forgotten};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Check>(), Entry::of::<Forget>()]
}

/// A content among others. Say the content or its hash.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct What {
    /// Among what it is to be the first.
    pub scope: Said<ContentHash>,
    /// The content; its SHA-256 is kept.
    #[serde(default)]
    pub content: Option<String>,
    /// The hash of the content instead.
    #[serde(default)]
    pub hash: Option<Said<ContentHash>>,
}

impl What {
    fn hash(&self) -> Result<ContentHash, Fault> {
        match (&self.content, &self.hash) {
            (Some(content), None) => Ok(content_hash(content.as_bytes())),
            (None, Some(hash)) => Ok(hash.0.clone()),
            _ => Err(Fault::bad("content", "say the content or its hash, and one of them")),
        }
    }
}
