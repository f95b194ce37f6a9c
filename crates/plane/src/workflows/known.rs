//! Versions that this process has read. One never changes, and its name is its hash, so it may be kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Topology;

/// Most that are kept; beyond that all are read again.
const MOST: usize = 128;

#[derive(Debug, Default)]
pub(crate) struct Known(Mutex<HashMap<String, Arc<Topology>>>);

impl Known {
    pub(super) fn get(&self, digest: &str) -> Option<Arc<Topology>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(digest).map(Arc::clone)
    }

    pub(super) fn keep(&self, digest: &str, topology: Topology) -> Arc<Topology> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.clear();
        }
        let kept = Arc::new(topology);
        all.insert(digest.to_owned(), Arc::clone(&kept));
        kept
    }
}
