//! How long the search remembers a task, under the seed's name.

use std::sync::LazyLock;

use crate::settings::{Read, meant};

/// A document that the seed lets stay has an end all the same, a hundred years from now.
const FOR_EVER: u64 = 100 * 365 * 86_400;
const TTL: &str = "RELAYNA_STUDIO_TASK_INDEX_TTL_SECONDS";

/// A value that makes no sense is ignored, and the default stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Seconds after the last event of a task.
    pub(crate) ttl: u64,
    /// `search:own`: whether the plane's own tasks are taken in; `0` says no.
    pub(crate) own: bool,
}

/// What this process was told; the configuration is stronger.
static TOLD: LazyLock<Option<String>> = LazyLock::new(|| std::env::var(TTL).ok());

impl Read for Settings {
    const NAMES: &'static [&'static str] = &["task_index_ttl_seconds", "search:own"];

    fn read(values: &[Option<String>]) -> Self {
        // Less than a minute would take documents away before anybody could look.
        let sound = |text: &Option<String>| match meant(text.as_ref()?)? {
            0 => Some(FOR_EVER),
            seconds => Some(seconds).filter(|seconds| (60..=366 * 86_400).contains(seconds)),
        };
        let ttl = values.first().and_then(sound).or_else(|| sound(&TOLD)).unwrap_or(86_400);
        Self { ttl, own: values.get(1).is_none_or(|own| own.as_deref() != Some("0")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_kept_within_reason_and_none_is_for_ever() {
        let ttl = |text: &str| Settings::read(&[Some(text.to_owned())]).ttl;
        assert_eq!([ttl("3600"), ttl("3600.0"), ttl("59"), ttl("x")], [3_600, 3_600, 86_400, 86_400]);
        assert_eq!([ttl("none"), ttl("0")], [FOR_EVER; 2]);
    }
}
