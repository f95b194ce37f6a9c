//! Durations as people type them: `500ms`, `30s`, `5m`, `2h`, `1d`.

use std::time::Duration;

/// The longest that makes sense anywhere: a year.
const MOST: Duration = Duration::from_secs(366 * 86_400);

/// Reads a duration; `0s` is one.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit_ms: u64 = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err("use a whole number with a unit, like 500ms, 30s, 5m, 2h or 1d".to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| "the number is missing or too large".to_owned())?;
    let duration =
        number.checked_mul(unit_ms).map(Duration::from_millis).filter(|duration| *duration <= MOST);
    duration.ok_or_else(|| "it is longer than a year".to_owned())
}

/// A lock's lifetime: from 1 ms to a day.
pub(crate) fn ttl(text: &str) -> Result<Duration, String> {
    parse(text).and_then(|duration| {
        within(duration, Duration::from_millis(1), Duration::from_secs(86_400), "1ms to 24h")
    })
}

/// How long what an agent holds outlasts it: from a second to a day.
pub(crate) fn lease(text: &str) -> Result<Duration, String> {
    parse(text).and_then(|duration| {
        within(duration, Duration::from_secs(1), Duration::from_secs(86_400), "1s to 24h")
    })
}

fn within(duration: Duration, least: Duration, most: Duration, range: &str) -> Result<Duration, String> {
    if (least..=most).contains(&duration) { Ok(duration) } else { Err(format!("it must be from {range}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_and_bounds() {
        assert_eq!(parse("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse("2h"), Ok(Duration::from_secs(7_200)));
        for bad in
            ["", "5", "-1s", "1.5s", "s", "10 s", "NaN", "1e309", "99999999999999999999s", "400d", "5w"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(
            lease("999ms").is_err() && lease("25h").is_err() && lease("1s").is_ok() && lease("24h").is_ok()
        );
        assert!(ttl("0s").is_err() && ttl("25h").is_err() && ttl("1ms").is_ok());
    }
}
