//! What operators set, read from ade's configuration at most once a second.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quorate_catalog::Keys;
use quorate_catalog::ids::ConfigName;
use quorate_store::{Result, Store, cmd};
use tokio::time::Instant;

const FRESH: Duration = Duration::from_secs(1);

/// The settings of one capability.
pub(crate) trait Read: Copy {
    /// Their names in ade's configuration.
    const NAMES: &'static [&'static str];

    /// Keys that are no settings and are read with them.
    fn further(_keys: &Keys) -> Vec<String> {
        Vec::new()
    }

    /// From the values in the order of the names, and then of the further keys. A value that makes no sense is ignored, and
    /// the default stays.
    fn read(values: &[Option<String>]) -> Self;
}

/// A number, or one of the words that the seed's backend understands for none, yes and no.
pub(crate) fn meant(text: &str) -> Option<u64> {
    match text.trim().to_lowercase().as_str() {
        "none" | "null" | "off" | "no" | "false" => Some(0),
        "yes" | "true" | "on" => Some(1),
        // The seed's backend takes 5.0 for 5.
        number => number.strip_suffix(".0").unwrap_or(number).parse().ok(),
    }
}

/// The last settings read, and when.
#[derive(Debug)]
pub(crate) struct Cached<T>(Mutex<Option<(Instant, T)>>);

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Read> Cached<T> {
    pub(crate) async fn get(&self, store: &Store, keys: &Keys) -> Result<T> {
        let known = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, settings)) = known.filter(|(at, _)| at.elapsed() < FRESH) {
            return Ok(settings);
        }
        let mut mget = cmd("MGET");
        for name in T::NAMES {
            mget.arg(keys.ade().config(&ConfigName::parse(name).expect("a setting's name")).as_str());
        }
        mget.arg(T::further(keys));
        // A setting that holds another type reads as absent.
        let values: Vec<Option<String>> = store.query(&mget).await?;
        let settings = T::read(&values);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), settings));
        Ok(settings)
    }
}
