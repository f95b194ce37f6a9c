//! What operators set for all locks.

use std::time::Duration;

use quorate_catalog::Keys;
use quorate_catalog::ids::FlagName;

use crate::settings::Read;

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
}

impl Read for Settings {
    const NAMES: &'static [&'static str] =
        &["lock:default_ttl", "lock:max_ttl", "lock:heartbeat_interval", "lock:acquire_limit"];

    fn further(keys: &Keys) -> Vec<String> {
        let flag = FlagName::parse("deadlock_detection").expect("a flag's name");
        vec![keys.ade().feature(&flag).to_string()]
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
