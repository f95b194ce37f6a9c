//! How long sessions last, as operators set it.

use std::time::Duration;

use crate::settings::Read;

/// Settings of all sessions, in seconds in ade's configuration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    /// `sign_in:idle_timeout`: how long one may lie unused.
    pub(crate) idle: Duration,
    /// `sign_in:max_age`: how long one lasts at most.
    pub(crate) most: Duration,
}

/// What the seed gives a session, and the most it can have.
const DAY: Duration = Duration::from_secs(86_400);

impl Read for Settings {
    const NAMES: &'static [&'static str] = &["sign_in:idle_timeout", "sign_in:max_age"];

    fn read(values: &[Option<String>]) -> Self {
        let seconds = |at: usize, default: Duration| {
            let said = values.get(at).and_then(|value| value.as_ref()?.parse::<u64>().ok());
            // Under two minutes a session would end while it is used: use is noted once a minute.
            said.filter(|said| (120..=DAY.as_secs()).contains(said)).map_or(default, Duration::from_secs)
        };
        let most = seconds(1, DAY);
        Self { idle: seconds(0, Duration::from_secs(7_200)).min(most), most }
    }
}
