//! The scripts of a capability, spelled for a deployment once: checks and tools make a plane for each look.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quorate_catalog::Keys;

/// By namespace; the plane's own keys have no other setting.
pub(crate) struct Kept<T>(Mutex<BTreeMap<String, Arc<T>>>);

impl<T> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    pub(crate) fn of(&self, keys: &Keys, spell: impl FnOnce(&Keys) -> T) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(keys.namespace_text().to_owned()).or_insert_with(|| Arc::new(spell(keys))))
    }
}
