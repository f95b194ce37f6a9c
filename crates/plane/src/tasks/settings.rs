//! How much the stores of tasks keep and for how long, under the seed's names.
//!
//! What is set in ade's configuration holds for every process. A process may be told otherwise by its environment, as the
//! seed's clients are by their arguments; the configuration is stronger.

use std::sync::LazyLock;

use crate::settings::{Read, meant};

/// The seed's names, each with its default and the most that makes sense.
const ALL: [(&str, u64, u64); 6] = [
    ("store_ttl_seconds", 86_400, 366 * 86_400),
    ("store_history_maxlen", 50, 100_000),
    ("observation_store_ttl_seconds", 86_400, 366 * 86_400),
    ("observation_history_maxlen", 500, 100_000),
    ("service_event_store_ttl_seconds", 86_400, 366 * 86_400),
    ("service_event_feed_maxlen", 5_000, 1_000_000),
];

/// Settings of all stores of tasks. A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) status: Retention,
    pub(crate) observations: Retention,
    pub(crate) feed: Retention,
}

/// How long one store keeps what it is told, and how many of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Retention {
    /// In seconds; 0 for ever, which the seed allows.
    pub(crate) ttl: u64,
    pub(crate) maxlen: u64,
}

/// What this process was told: `RELAYNA_STORE_TTL_SECONDS` and so on.
static TOLD: LazyLock<[Option<String>; 6]> =
    LazyLock::new(|| ALL.map(|(name, ..)| std::env::var(format!("RELAYNA_{}", name.to_uppercase())).ok()));

impl Read for Settings {
    const NAMES: &'static [&'static str] = &[ALL[0].0, ALL[1].0, ALL[2].0, ALL[3].0, ALL[4].0, ALL[5].0];

    fn read(values: &[Option<String>]) -> Self {
        Self::of(values, &*TOLD)
    }
}

impl Settings {
    fn of(set: &[Option<String>], told: &[Option<String>]) -> Self {
        let number = |at: usize| {
            let (_, default, most) = ALL[at];
            // Every second name is a length, and a history of none would be no history.
            let least = (at % 2) as u64;
            let sound = |text: &Option<String>| {
                meant(text.as_ref()?).filter(|number| (least..=most).contains(number))
            };
            set.get(at).and_then(sound).or_else(|| told.get(at).and_then(sound)).unwrap_or(default)
        };
        let pair = |at: usize| Retention { ttl: number(at), maxlen: number(at + 1) };
        Self { status: pair(0), observations: pair(2), feed: pair(4) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_is_stronger_than_the_environment_and_nonsense_is_ignored() {
        let texts = |all: [&str; 6]| all.map(|text| (!text.is_empty()).then(|| text.to_owned()));
        let default = Settings::of(&[], &[]);
        assert_eq!((default.status, default.feed.maxlen), (Retention { ttl: 86_400, maxlen: 50 }, 5_000));
        let never = Settings::of(&[], &texts(["none", "off", "0", "", "", ""]));
        assert_eq!((never.status, never.observations.ttl), (Retention { ttl: 0, maxlen: 50 }, 0));
        let told = texts(["60", "7", "", "", "", "9"]);
        let set = texts(["0", "0", "-1", "x", "", "1e9"]);
        let both = Settings::of(&set, &told);
        assert_eq!(
            both.status,
            Retention { ttl: 0, maxlen: 7 },
            "0 is for ever; a history of none is nonsense"
        );
        assert_eq!((both.observations, both.feed.maxlen), (default.observations, 9));
    }
}
