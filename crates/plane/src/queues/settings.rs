//! What operators set for all queues, read from ade's configuration at most once a second.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quorate_catalog::Keys;
use quorate_catalog::ids::ConfigName;
use quorate_store::{Result, Store, cmd};
use tokio::time::Instant;

use super::model::{DEFAULT_ATTEMPTS, MAX_ATTEMPTS};

const FRESH: Duration = Duration::from_secs(1);

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

/// The last settings read, and when.
#[derive(Debug, Default)]
pub(crate) struct SettingsCache(Mutex<Option<(Instant, Settings)>>);

impl SettingsCache {
    pub(crate) async fn get(&self, store: &Store, keys: &Keys) -> Result<Settings> {
        let known = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, settings)) = known.filter(|(at, _)| at.elapsed() < FRESH) {
            return Ok(settings);
        }
        let mut mget = cmd("MGET");
        for name in ["queue:max_depth", "queue:max_attempts"] {
            mget.arg(keys.ade().config(&ConfigName::parse(name).expect("a setting's name")).as_str());
        }
        let values: Vec<Option<String>> = store.query(&mget).await?;
        let number = |at: usize| values.get(at)?.as_ref()?.parse::<u64>().ok();
        let attempts = number(1).and_then(|most| u32::try_from(most).ok());
        let settings = Settings {
            max_depth: number(0).filter(|depth| *depth < 1 << 50).unwrap_or(0),
            max_attempts: attempts
                .filter(|most| (1..=MAX_ATTEMPTS).contains(most))
                .unwrap_or(DEFAULT_ATTEMPTS),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), settings));
        Ok(settings)
    }
}
