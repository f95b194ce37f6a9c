//! Durations as people write them: `500ms`, `60s`, `5m`, `2h`.

use std::time::Duration;

const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// Reads a duration within bounds, or says what is wrong and what would be right.
pub(crate) fn parse(text: &str, least: Duration, most: Duration) -> Result<Duration, String> {
    let wants = || format!("use a whole number with ms, s, m or h, from {} to {}", show(least), show(most));
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
    let millis =
        number.parse::<u64>().ok().zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    let parsed = millis.map(Duration::from_millis).ok_or_else(wants)?;
    if (least..=most).contains(&parsed) { Ok(parsed) } else { Err(wants()) }
}

/// The shortest way to write a duration.
pub(crate) fn show(duration: Duration) -> String {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let whole = UNITS.iter().rev().find(|(_, factor)| millis >= *factor && millis % factor == 0);
    let (unit, factor) = whole.copied().unwrap_or(UNITS[0]);
    format!("{}{unit}", millis / factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const DAY: Duration = Duration::from_secs(86_400);

    #[test]
    fn the_four_units_are_read_within_their_bounds() {
        for (text, millis) in
            [("1s", 1_000), ("1000ms", 1_000), ("1500ms", 1_500), ("5m", 300_000), ("24h", 86_400_000)]
        {
            assert_eq!(parse(text, SECOND, DAY), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn everything_else_is_told_what_would_be_right() {
        for bad in [
            "",
            "0s",
            "-1s",
            "999ms",
            "25h",
            "60",
            "s",
            "1.5s",
            "1e3s",
            "1 s",
            "1S",
            "1d",
            "99999999999999999999s",
            "18446744073709551615h",
            "٣s",
            "NaN",
            "inf",
        ] {
            let error = parse(bad, SECOND, DAY).unwrap_err();
            assert!(error.ends_with("from 1s to 24h"), "{bad}: {error}");
        }
    }
}
