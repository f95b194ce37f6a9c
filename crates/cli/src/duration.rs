//! Durations as people type them; what they mean is said with the verbs.

use std::time::Duration;

use quorate_verbs::said::Span;

/// Reads a duration; `0s` is one.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    text.parse::<Span>().map(|span| span.0)
}

/// A lock's lifetime: from 1 ms to a day.
pub(crate) fn ttl(text: &str) -> Result<Duration, String> {
    text.parse::<Span>().and_then(Span::ttl)
}

/// How long what an agent holds outlasts it: from a second to a day.
pub(crate) fn lease(text: &str) -> Result<Duration, String> {
    text.parse::<Span>().and_then(Span::lease)
}
