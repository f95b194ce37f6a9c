//! When a job runs next.
//!
//! Between two changes of its zone's offset local time runs evenly, and a cron pattern is matched in it as if it were UTC. At
//! a change, a job of certain hours (`30 2 * * *`) runs once: a moment that the clock skips is made up for right after, one
//! that comes twice counts the first time. A job of every hour (`*/15 * * * *`) just goes on.

use chrono::{DateTime, Utc};
use croner::parser::{CronParser, Seconds};
use croner::{Cron, JobType};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A cron pattern in a time zone.
#[derive(Debug, Clone)]
pub struct Recurrence {
    cron: Cron,
    zone: TimeZone,
    pattern: String,
    zone_name: String,
}

/// Changes of the offset that are looked at before a pattern is said never to match.
const CHANGES: usize = 32;

impl Recurrence {
    /// Reads a pattern of five fields, or six with seconds first, and the name of a zone.
    pub fn parse(pattern: &str, zone_name: &str) -> Result<Self, String> {
        let parser = CronParser::builder().seconds(Seconds::Optional).build();
        let cron = parser.parse(pattern).map_err(|error| format!("the pattern cannot be read: {error}"))?;
        let zone = TimeZone::get(zone_name)
            .map_err(|_| "there is no such time zone; use a name like Europe/Berlin".to_owned())?;
        let (pattern, zone_name) = (pattern.to_owned(), zone_name.to_owned());
        Ok(Self { cron, zone, pattern, zone_name })
    }

    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    pub fn zone(&self) -> &str {
        &self.zone_name
    }

    /// The first occurrence after a moment, both in Unix milliseconds; none if there is none for years.
    pub fn next(&self, after_ms: i64) -> Option<i64> {
        let after = Timestamp::from_millisecond(after_ms).ok()?;
        let (mut from, mut inclusive) = (after, false);
        let mut earlier = None;
        for _ in 0..CHANGES {
            let offset = self.zone.to_offset(from);
            let change = self.zone.following(from).next().map(|change| change.timestamp());
            let local = |at: Timestamp| at.as_millisecond() + i64::from(offset.seconds()) * 1_000;
            let found = self.local_next(local(from), inclusive)?;
            let at = Timestamp::from_millisecond(found - i64::from(offset.seconds()) * 1_000).ok()?;
            let repeated = |at: Timestamp| earlier.is_some_and(|until: Timestamp| at < until);
            match change {
                Some(change) if at >= change => {
                    let shift = i64::from(self.zone.to_offset(change).seconds() - offset.seconds());
                    // The clock is put forward over a moment that the pattern names.
                    if shift > 0 && self.is_fixed() && found < local(change) + shift * 1_000 {
                        return Some(change.as_millisecond());
                    }
                    let back = SignedDuration::from_secs(-shift);
                    earlier = (shift < 0).then(|| change.checked_add(back).ok()).flatten();
                    (from, inclusive) = (change, true);
                }
                _ if self.is_fixed() && repeated(at) => (from, inclusive) = (at, false),
                _ => return Some(at.as_millisecond()),
            }
        }
        None
    }

    /// Whether it names certain hours.
    fn is_fixed(&self) -> bool {
        matches!(self.cron.determine_job_type(), JobType::FixedTime)
    }

    fn local_next(&self, local_ms: i64, inclusive: bool) -> Option<i64> {
        // A pattern names whole seconds; what is searched from must be one, or its fraction stays in what is found.
        let local: DateTime<Utc> = DateTime::from_timestamp(local_ms.div_euclid(1_000), 0)?;
        self.cron.find_next_occurrence(&local, inclusive).ok().map(|found| found.timestamp_millis())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(pattern: &str, zone: &str, from: &str, count: usize) -> Vec<String> {
        let recurrence = Recurrence::parse(pattern, zone).unwrap();
        let mut at = from.parse::<Timestamp>().unwrap().as_millisecond();
        (0..count)
            .map(|_| {
                at = recurrence.next(at).unwrap();
                Timestamp::from_millisecond(at).unwrap().to_string()
            })
            .collect()
    }

    #[test]
    fn the_clock_put_forward_and_back_loses_and_doubles_nothing() {
        // Berlin: on 2026-03-29 02:00 becomes 03:00; on 2026-10-25 03:00 becomes 02:00 again.
        let spring = runs("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2);
        assert_eq!(spring, ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"], "made up for right after");
        let autumn = runs("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2);
        assert_eq!(autumn, ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"], "once");
        let quarter = runs("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:10:00Z", 4);
        assert_eq!(
            quarter,
            ["2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:00:00Z"]
        );
        let forward = runs("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:10:00Z", 3);
        assert_eq!(forward, ["2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"]);
    }

    #[test]
    fn patterns_that_cannot_be_or_never_come_are_refused() {
        for bad in ["", "60 * * * *", "*/0 * * * *", "* * * *", "a b c d e", "* * * * * * * *"] {
            assert!(Recurrence::parse(bad, "UTC").is_err(), "{bad}");
        }
        assert!(Recurrence::parse("* * * * *", "Nowhere/Land").is_err());
        let never = Recurrence::parse("0 0 31 2 *", "UTC").unwrap();
        assert_eq!(never.next(1_794_768_310_000), None, "there is no 31st of February");
        assert_eq!(runs("*/5 * * * * *", "UTC", "2026-11-16T00:00:01Z", 1), ["2026-11-16T00:00:05Z"]);
    }

    #[test]
    fn an_occurrence_is_a_whole_second_whenever_it_was_asked_for() {
        let evening = runs("30 2 * * *", "Europe/Berlin", "2026-11-16T21:46:00.319Z", 2);
        assert_eq!(evening, ["2026-11-17T01:30:00Z", "2026-11-18T01:30:00Z"]);
        let seconds = runs("* * * * * *", "UTC", "2026-11-16T00:00:00.999Z", 2);
        assert_eq!(seconds, ["2026-11-16T00:00:01Z", "2026-11-16T00:00:02Z"]);
        let gap = runs("30 2 * * *", "Europe/Berlin", "2026-03-29T00:59:59.900Z", 1);
        assert_eq!(gap, ["2026-03-29T01:00:00Z"], "the hour that the clock skips");
    }
}
