//! What operators set for all workflows.

use crate::settings::Read;

/// How long a done action is remembered unless it is set: a day, as in the seed.
const TTL_SECONDS: u64 = 86_400;

/// Settings of all workflows. A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(super) ttl_ms: u64,
}

impl Read for Settings {
    const NAMES: &'static [&'static str] = &["workflow:ttl_seconds"];

    fn read(values: &[Option<String>]) -> Self {
        let seconds = values.first().and_then(|value| value.as_ref()?.parse::<u64>().ok());
        let seconds = seconds.filter(|seconds| (60..=366 * 86_400).contains(seconds)).unwrap_or(TTL_SECONDS);
        Self { ttl_ms: seconds * 1_000 }
    }
}
