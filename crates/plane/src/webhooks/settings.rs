//! What operators set for all webhooks.

use std::time::Duration;

use crate::settings::Read;

/// A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// `webhooks:attempts`: how often a delivery is tried before it is a dead letter.
    pub(crate) attempts: u32,
    /// `webhooks:backoff`, in milliseconds: how long after the first failure; four times as long after each further one.
    pub(crate) backoff: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { attempts: 8, backoff: Duration::from_secs(5) }
    }
}

/// The longest pause between two attempts.
const LONGEST: Duration = Duration::from_secs(6 * 3_600);

impl Settings {
    /// How long to wait after an attempt, the first being 1; `chance` is from 0 to 1,000 and spreads them.
    pub(super) fn pause(&self, attempt: u32, chance: u64) -> Duration {
        let pause = self.backoff.saturating_mul(4_u32.saturating_pow(attempt.saturating_sub(1))).min(LONGEST);
        let spread = u32::try_from(750 + chance.min(1_000) / 2).unwrap_or(1_000);
        pause.saturating_mul(spread) / 1_000
    }
}

impl Read for Settings {
    const NAMES: &'static [&'static str] = &["webhooks:attempts", "webhooks:backoff"];

    fn read(values: &[Option<String>]) -> Self {
        let defaults = Self::default();
        let number = |at: usize| values.get(at).and_then(|value| value.as_ref()?.parse::<u32>().ok());
        let attempts = number(0).filter(|attempts| (1..=100).contains(attempts));
        let backoff = number(1).filter(|ms| (1..=3_600_000).contains(ms));
        Self {
            attempts: attempts.unwrap_or(defaults.attempts),
            backoff: backoff.map_or(defaults.backoff, |ms| Duration::from_millis(ms.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_have_an_end() {
        let settings = Settings::default();
        let seconds = |attempt| settings.pause(attempt, 500).as_secs();
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(seconds), [5, 20, 80, 320, 1_280, 5_120, 20_480]);
        assert_eq!(settings.pause(100, 500), LONGEST);
        assert_eq!(settings.pause(1, 0).as_millis(), 3_750);
        assert_eq!(settings.pause(1, 1_000).as_millis(), 6_250);
    }

    #[test]
    fn nonsense_is_ignored() {
        let given = |texts: [&str; 2]| Settings::read(&texts.map(|text| Some(text.to_owned())));
        assert_eq!(given(["0", "-1"]), Settings::default());
        assert_eq!(given(["3", "50"]), Settings { attempts: 3, backoff: Duration::from_millis(50) });
    }
}
