//! What operators set for all streams.

use std::time::Duration;

use serde::Serialize;

use crate::settings::Read;

/// Settings of all streams. A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// `streams:keep`: entries kept for everybody, as the seeds have it.
    pub keep: u64,
    /// `streams:cap`: entries kept for a group that lags; past it the slowest group overflows.
    pub cap: u64,
    /// `streams:group_ttl`, in seconds: how long a group may be silent before it holds nothing back.
    pub group_ttl: Duration,
    /// `streams:max_deliveries`: how often an entry is given before it is put aside.
    pub max_deliveries: u64,
    /// `streams:observations`: pending observations after which the next one is refused.
    pub observations: u64,
    /// `streams:window`, in seconds: within it the same observation is a duplicate.
    pub window: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            keep: 10_000,
            cap: 100_000,
            group_ttl: Duration::from_secs(86_400),
            max_deliveries: 5,
            observations: 10_000,
            window: Duration::from_secs(15 * 60),
        }
    }
}

impl Read for Settings {
    const NAMES: &'static [&'static str] = &[
        "streams:keep",
        "streams:cap",
        "streams:group_ttl",
        "streams:max_deliveries",
        "streams:observations",
        "streams:window",
    ];

    fn read(values: &[Option<String>]) -> Self {
        let defaults = Self::default();
        let number = |at: usize, default: u64| {
            let given = values.get(at).and_then(|value| value.as_ref()?.parse::<u64>().ok());
            given.filter(|number| (1..=100_000_000).contains(number)).unwrap_or(default)
        };
        let seconds = |at: usize, default: Duration| {
            Duration::from_secs(number(at, default.as_secs()).min(366 * 86_400))
        };
        let keep = number(0, defaults.keep);
        Self {
            keep,
            // Below what is kept for everybody it would make no sense.
            cap: number(1, defaults.cap.max(keep.saturating_mul(10))).max(keep),
            group_ttl: seconds(2, defaults.group_ttl),
            max_deliveries: number(3, defaults.max_deliveries),
            observations: number(4, defaults.observations),
            window: seconds(5, defaults.window),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_ignored_and_the_cap_is_never_below_what_is_kept() {
        let given = |texts: [&str; 6]| Settings::read(&texts.map(|text| Some(text.to_owned())));
        assert_eq!(given(["x", "-1", "0", "1e9", "", "NaN"]), Settings::default());
        assert_eq!(given(["500", "10", "1", "1", "1", "1"]).cap, 500);
        assert_eq!(Settings::read(&[]), Settings::default());
    }
}
