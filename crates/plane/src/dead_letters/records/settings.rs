//! How long relayna's dead letters are kept, under the seed's name.

use std::sync::LazyLock;

use crate::settings::{Read, meant};

const NAME: &str = "dlq_store_ttl_seconds";

/// A dead letter is kept until somebody deletes it, unless an operator gives a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(super) ttl_ms: u64,
}

/// What this process was told: `RELAYNA_DLQ_STORE_TTL_SECONDS`; the configuration is stronger.
static TOLD: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("RELAYNA_DLQ_STORE_TTL_SECONDS").ok());

impl Read for Settings {
    const NAMES: &'static [&'static str] = &[NAME];

    fn read(values: &[Option<String>]) -> Self {
        let sound =
            |text: &Option<String>| meant(text.as_ref()?).filter(|seconds| *seconds <= 3_660 * 86_400);
        let seconds = values.first().and_then(sound).or_else(|| sound(&TOLD)).unwrap_or(0);
        Self { ttl_ms: seconds * 1_000 }
    }
}
