//! What operators set for all workflows.

use std::sync::LazyLock;

use crate::settings::Read;

/// How long a done action is remembered unless it is set: a day, as in the seed.
const TTL_SECONDS: u64 = 86_400;

/// Settings of all workflows. A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(super) ttl_ms: u64,
}

/// What this process was told: `RELAYNA_WORKFLOW_TTL_SECONDS`; the configuration is stronger.
static TOLD: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("RELAYNA_WORKFLOW_TTL_SECONDS").ok());

impl Read for Settings {
    const NAMES: &'static [&'static str] = &["workflow:ttl_seconds"];

    fn read(values: &[Option<String>]) -> Self {
        let sound = |text: &Option<String>| {
            text.as_ref()?.trim().parse::<u64>().ok().filter(|seconds| (60..=366 * 86_400).contains(seconds))
        };
        let seconds = values.first().and_then(sound).or_else(|| sound(&TOLD)).unwrap_or(TTL_SECONDS);
        Self { ttl_ms: seconds * 1_000 }
    }
}
