//! What operators set for the studio, under the seed's names.
//!
//! What is set in ade's configuration holds for every process; a process may be told otherwise by its environment, as the seed's
//! backend is, and the configuration is stronger.

use std::sync::LazyLock;
use std::time::Duration;

use crate::settings::{Read, meant};

/// The seed's names, each with its default, the least and the most that makes sense.
const ALL: [(&str, u64, u64, u64); 9] = [
    ("studio_event_store_ttl_seconds", 86_400, 0, 366 * 86_400),
    ("studio_event_history_maxlen", 5_000, 1, 100_000),
    ("studio_retention_prune_interval_seconds", 60, 1, 86_400),
    ("studio_pull_sync_interval_seconds", 5, 0, 86_400),
    ("studio_health_refresh_interval_seconds", 60, 0, 86_400),
    ("studio_capability_stale_after_seconds", 180, 1, 366 * 86_400),
    ("studio_observation_stale_after_seconds", 300, 1, 366 * 86_400),
    ("studio_worker_heartbeat_stale_after_seconds", 90, 1, 366 * 86_400),
    ("studio_push_ingest_enabled", 0, 0, 1),
];

/// Settings of the studio. A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// In seconds; 0 for ever, which the seed allows.
    pub(super) ttl: u64,
    pub(super) maxlen: u64,
    pub(super) prune: Duration,
    /// None: feeds are not read.
    pub(super) pull: Option<Duration>,
    /// None: nobody looks at the health of services by himself.
    pub(super) check: Option<Duration>,
    pub(super) stale: Stale,
    /// Whether services may push.
    pub(super) push: bool,
}

/// How old something may be before it counts as stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stale {
    pub(super) capabilities: Duration,
    pub(super) observations: Duration,
    pub(super) workers: Duration,
}

/// What this process was told: `RELAYNA_STUDIO_EVENT_STORE_TTL_SECONDS` and so on.
static TOLD: LazyLock<[Option<String>; 9]> =
    LazyLock::new(|| ALL.map(|(name, ..)| std::env::var(format!("RELAYNA_{}", name.to_uppercase())).ok()));

impl Read for Settings {
    const NAMES: &'static [&'static str] =
        &[ALL[0].0, ALL[1].0, ALL[2].0, ALL[3].0, ALL[4].0, ALL[5].0, ALL[6].0, ALL[7].0, ALL[8].0];

    fn read(values: &[Option<String>]) -> Self {
        Self::of(values, &*TOLD)
    }
}

impl Settings {
    fn of(set: &[Option<String>], told: &[Option<String>]) -> Self {
        let number = |at: usize| {
            let (_, default, least, most) = ALL[at];
            let sound = |text: &Option<String>| {
                let number = meant(text.as_ref()?)?;
                (least..=most).contains(&number).then_some(number)
            };
            set.get(at).and_then(sound).or_else(|| told.get(at).and_then(sound)).unwrap_or(default)
        };
        let seconds = |at: usize| Duration::from_secs(number(at));
        let every = |at: usize| Some(seconds(at)).filter(|span| !span.is_zero());
        Self {
            ttl: number(0),
            maxlen: number(1),
            prune: seconds(2),
            pull: every(3),
            check: every(4),
            stale: Stale { capabilities: seconds(5), observations: seconds(6), workers: seconds(7) },
            push: number(8) == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_is_stronger_than_the_environment_and_nonsense_is_ignored() {
        let default = Settings::of(&[], &[]);
        assert_eq!((default.ttl, default.maxlen, default.push), (86_400, 5_000, false));
        assert_eq!(
            (default.pull, default.check),
            (Some(Duration::from_secs(5)), Some(Duration::from_secs(60)))
        );
        let texts = |all: [&str; 9]| all.map(|text| (!text.is_empty()).then(|| text.to_owned()));
        let told = texts(["none", "7", "", "5.0", "off", "", "", "", "TRUE"]);
        let set = texts(["", "0", "x", "0", "", "-1", "1e3", "30", ""]);
        let both = Settings::of(&set, &told);
        assert_eq!((both.ttl, both.maxlen, both.pull, both.check, both.push), (0, 7, None, None, true));
        assert_eq!(both.stale.workers, Duration::from_secs(30));
        assert_eq!(both.stale.observations, default.stale.observations);
    }
}
