//! How long a receiver wants to be left alone: `Retry-After` has seconds, or a moment.

use std::time::SystemTime;

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// The seconds to wait. A moment is counted from the one at which the answer says it was given, so that nobody's clock
/// but the receiver's own matters.
pub(crate) fn after(headers: &HeaderMap) -> Option<u64> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let said = text(RETRY_AFTER)?;
    if let Ok(seconds) = said.parse() {
        return Some(seconds);
    }
    let moment = httpdate::parse_http_date(said).ok()?;
    let given = text(DATE).and_then(|date| httpdate::parse_http_date(date).ok());
    let wait = moment.duration_since(given.unwrap_or_else(now));
    Some(wait.map_or(0, |wait| wait.as_secs()))
}

#[expect(
    clippy::disallowed_methods,
    reason = "an answer without a date has no other clock, and only a pause hangs on it"
)]
fn now() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_moments_are_understood_and_nonsense_is_not() {
        let wait = |after: &'static str, date: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, after.parse().unwrap());
            headers.insert(DATE, date.parse().unwrap());
            super::after(&headers)
        };
        let noon = "Wed, 18 Nov 2026 12:00:00 GMT";
        assert_eq!(wait("120", noon), Some(120));
        assert_eq!(wait("Wed, 18 Nov 2026 12:02:00 GMT", noon), Some(120));
        assert_eq!(wait("Wed, 18 Nov 2026 11:00:00 GMT", noon), Some(0), "what is over is over");
        for nonsense in ["", "soon", "-1", "1.5", "2026-11-18T12:00:00Z"] {
            assert_eq!(wait(nonsense, noon), None, "{nonsense}");
        }
        assert_eq!(after(&HeaderMap::new()), None);
    }
}
