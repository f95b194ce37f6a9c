//! The server's time, in microseconds since 1970.
//!
//! Leases, scores and order use this and nothing else: the clocks of two machines disagree, the server's clock does
//! not disagree with itself. [`Micros`] therefore cannot be made from the local clock (clippy.toml forbids reading it).

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use redis::{FromRedisValue, ParsingError, RedisWrite, ToRedisArgs, Value};
use serde::{Deserialize, Serialize};

/// An instant of the server's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(u64);

impl Micros {
    /// The last instant a Lua number holds exactly: 2^53 µs, in the year 2255.
    pub const MAX: Self = Self(1 << 53);

    /// From microseconds since 1970, as a script or `TIME` gave them.
    pub const fn new(micros: u64) -> Self {
        Self(micros)
    }

    /// From milliseconds since 1970; too large values saturate.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1000))
    }

    /// Microseconds since 1970.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Whole milliseconds since 1970.
    pub const fn millis(self) -> u64 {
        self.0 / 1000
    }

    /// Whole seconds since 1970.
    pub const fn seconds(self) -> u64 {
        self.0 / 1_000_000
    }

    /// The time from `earlier` to this instant, or nothing if it is not later.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }

    /// This instant moved into the future.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)))
    }

    /// ISO 8601 in UTC with six decimals, the form the seeds' hash fields have: `2026-11-15T20:49:07.000123Z`.
    pub fn iso(self) -> String {
        if self.0 > LAST {
            return "9999-12-31T23:59:59.999999Z".to_owned();
        }
        let (year, month, day) = civil(self.0 / 86_400_000_000);
        let (second, micros) = (self.seconds() % 86_400, self.0 % 1_000_000);
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        let mut put = |at: usize, digits: usize, mut number: u64| {
            for place in (at..at + digits).rev() {
                text[place] = b'0' + (number % 10) as u8;
                number /= 10;
            }
        };
        put(0, 4, year);
        put(5, 2, month);
        put(8, 2, day);
        put(11, 2, second / 3_600);
        put(14, 2, second / 60 % 60);
        put(17, 2, second % 60);
        put(20, 6, micros);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Reads ISO 8601 with a zone, as a foreign client may have written it. Instants before 1970 are none of ours.
    pub fn parse_iso(text: &str) -> Option<Self> {
        let instant: Timestamp = text.parse().ok()?;
        u64::try_from(instant.as_microsecond()).ok().map(Self)
    }
}

/// The last moment that has a text of its own, as far as the library that reads them goes.
const LAST: u64 = 253_402_207_200_000_000;

/// Year, month and day of a day since 1970. By hand, because every claim has such a text in its answer, and a calendar that knows
/// zones takes ten times as long. Years begin in March here, so that a leap day is the last of one.
const fn civil(day: u64) -> (u64, u64, u64) {
    let day = day + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (of_month, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (era * 400 + year + (month <= 2) as u64, month, of_month)
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iso())
    }
}

impl ToRedisArgs for Micros {
    fn write_redis_args<W: ?Sized + RedisWrite>(&self, out: &mut W) {
        self.0.write_redis_args(out);
    }
}

impl FromRedisValue for Micros {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        u64::from_redis_value(value).map(Self)
    }
}

/// Which clock the `now` fragment of a script reads. Everything but [`Clock::Server`] is for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Clock {
    /// The server's `TIME`.
    #[default]
    Server,
    /// The server's `TIME` moved by so many microseconds.
    Offset(i64),
    /// Always this instant.
    Fixed(Micros),
}

impl Clock {
    /// What this clock shows when the server's shows `server`.
    pub fn at(self, server: Micros) -> Micros {
        match self {
            Self::Server => server,
            Self::Offset(micros) => Micros(server.0.saturating_add_signed(micros)),
            Self::Fixed(instant) => instant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_text_is_utc_with_six_decimals_and_reads_back() {
        let instant = Micros::new(1_794_768_310_000_123);
        assert_eq!(instant.iso(), "2026-11-15T18:45:10.000123Z");
        assert_eq!(Micros::parse_iso(&instant.iso()), Some(instant));
    }

    #[test]
    fn iso_text_is_what_a_calendar_says() {
        let said = |micros: u64| {
            let instant = Timestamp::from_microsecond(i64::try_from(micros).unwrap()).unwrap();
            instant.to_zoned(jiff::tz::TimeZone::UTC).strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
        };
        // Every day for two rounds of the calendar, at a moment that moves; and the ends.
        for day in 0..2 * 146_097_u64 {
            let micros = day * 86_400_000_000 + day * 7_919_000_003 % 86_400_000_000;
            assert_eq!(Micros::new(micros).iso(), said(micros));
        }
        for micros in [0, 951_782_399_999_999, 951_868_800_000_000, 4_107_542_400_000_000, LAST] {
            assert_eq!(Micros::new(micros).iso(), said(micros));
        }
        assert_eq!(Micros::new(LAST + 1).iso(), "9999-12-31T23:59:59.999999Z");
    }

    #[test]
    fn text_without_a_zone_or_before_1970_is_refused() {
        assert_eq!(Micros::parse_iso("2026-11-15T17:51:50"), None);
        assert_eq!(Micros::parse_iso("1969-12-31T23:59:59Z"), None);
        assert_eq!(Micros::parse_iso("2026-11-15T19:51:50+02:00"), Some(Micros::new(1_794_765_110_000_000)));
    }

    #[test]
    fn extremes_neither_panic_nor_wrap() {
        assert_eq!(Micros::new(u64::MAX).iso(), "9999-12-31T23:59:59.999999Z");
        assert_eq!(Micros::new(1).since(Micros::new(5)), Duration::ZERO);
        assert_eq!(Clock::Offset(-10).at(Micros::new(5)), Micros::new(0));
    }
}
