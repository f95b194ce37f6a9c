//! What operators set for all locks, read from ade's configuration at most once a second.

use std::sync::Mutex;
use std::time::Duration;

use quorate_catalog::Keys;
use quorate_catalog::ids::{ConfigName, FlagName};
use quorate_store::{Result, Store, cmd};
use tokio::time::Instant;

const FRESH: Duration = Duration::from_secs(1);

/// Settings of all locks. A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) default_ttl: Duration,
    pub(crate) max_ttl: Duration,
    pub(crate) heartbeat: Duration,
    /// Most attempts of one agent in a minute; 0 for any number.
    pub(crate) limit: i64,
    pub(crate) detect: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            default_ttl: Duration::from_secs(30),
            max_ttl: Duration::from_secs(3_600),
            heartbeat: Duration::from_secs(10),
            limit: 0,
            detect: true,
        }
    }
}

impl Settings {
    pub(crate) fn clamp(&self, ttl: Duration) -> Duration {
        ttl.clamp(Duration::from_millis(1), self.max_ttl)
    }

    fn read(values: &[Option<String>]) -> Self {
        let defaults = Self::default();
        let number = |at: usize| {
            values.get(at)?.as_ref()?.parse::<u64>().ok().filter(|number| (1..=86_400).contains(number))
        };
        let seconds = |at: usize, default: Duration| number(at).map_or(default, Duration::from_secs);
        let max_ttl = seconds(1, defaults.max_ttl);
        Self {
            default_ttl: seconds(0, defaults.default_ttl).min(max_ttl),
            max_ttl,
            heartbeat: seconds(2, defaults.heartbeat),
            limit: number(3).and_then(|limit| i64::try_from(limit).ok()).unwrap_or(0),
            detect: values.get(4).is_none_or(|flag| flag.as_deref() != Some("disabled")),
        }
    }
}

/// The last settings read, and when.
#[derive(Debug, Default)]
pub(crate) struct SettingsCache(Mutex<Option<(Instant, Settings)>>);

impl SettingsCache {
    pub(crate) async fn get(&self, store: &Store, keys: &Keys) -> Result<Settings> {
        let known = *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((_, settings)) = known.filter(|(at, _)| at.elapsed() < FRESH) {
            return Ok(settings);
        }
        let mut mget = cmd("MGET");
        for name in ["lock:default_ttl", "lock:max_ttl", "lock:heartbeat_interval", "lock:acquire_limit"] {
            mget.arg(keys.ade().config(&ConfigName::parse(name).expect("a setting's name")).as_str());
        }
        mget.arg(keys.ade().feature(&FlagName::parse("deadlock_detection").expect("a flag's name")).as_str());
        // A setting that holds another type reads as absent.
        let values: Vec<Option<String>> = store.query(&mget).await?;
        let settings = Settings::read(&values);
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some((Instant::now(), settings));
        Ok(settings)
    }
}
