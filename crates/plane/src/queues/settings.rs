//! What operators set for all queues.

use super::model::{DEFAULT_ATTEMPTS, MAX_ATTEMPTS};
use crate::settings::Read;

/// Settings of all queues. A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    /// Most items that may wait in one queue; 0 for any number.
    pub(super) max_depth: u64,
    pub(super) max_attempts: u32,
}

impl Settings {
    /// How often an item is tried that does not say.
    pub(crate) fn attempts(&self) -> u32 {
        self.max_attempts
    }
}

impl Read for Settings {
    const NAMES: &'static [&'static str] = &["queue:max_depth", "queue:max_attempts"];

    fn read(values: &[Option<String>]) -> Self {
        let number = |at: usize| values.get(at)?.as_ref()?.parse::<u64>().ok();
        let attempts = number(1).and_then(|most| u32::try_from(most).ok());
        Self {
            max_depth: number(0).filter(|depth| *depth < 1 << 50).unwrap_or(0),
            max_attempts: attempts
                .filter(|most| (1..=MAX_ATTEMPTS).contains(most))
                .unwrap_or(DEFAULT_ATTEMPTS),
        }
    }
}
