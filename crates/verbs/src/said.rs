//! Values as people and programs say them: a text that is parsed once, at the edge.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::time::Duration;

use quorate_plane::json::Object;
use quorate_store::Micros;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

/// A value that is said as a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said<T>(pub T);

impl<T> Deref for Said<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Said<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        text.parse().map(Said).map_err(D::Error::custom)
    }
}

impl<T> JsonSchema for Said<T> {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// A length of time: `500ms`, `30s`, `5m`, `2h`, `1d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub Duration);

/// The longest that makes sense anywhere: a year.
const MOST: Duration = Duration::from_secs(366 * 86_400);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
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
        let span = number.checked_mul(unit_ms).map(Duration::from_millis).filter(|span| *span <= MOST);
        span.map(Self).ok_or_else(|| "it is longer than a year".to_owned())
    }
}

impl Span {
    /// The same if it is within bounds; `range` says them.
    pub fn within(self, least: Duration, most: Duration, range: &str) -> Result<Duration, String> {
        if (least..=most).contains(&self.0) { Ok(self.0) } else { Err(format!("it must be from {range}")) }
    }

    /// The life of a lock or of a claim: from 1 ms to a day.
    pub fn ttl(self) -> Result<Duration, String> {
        self.within(Duration::from_millis(1), Duration::from_secs(86_400), "1ms to 24h")
    }

    /// How long what an agent holds outlasts it: from a second to a day.
    pub fn lease(self) -> Result<Duration, String> {
        self.within(Duration::from_secs(1), Duration::from_secs(86_400), "1s to 24h")
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Span {
    fn schema_name() -> Cow<'static, str> {
        "Span".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$", "examples": ["30s"] })
    }
}

/// A length of time with the bounds of a [`Span::ttl`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ttl(pub Duration);

/// A length of time with the bounds of a [`Span::lease`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease(pub Duration);

macro_rules! bounded {
    ($name:ident, $check:ident) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Span::deserialize(from)?.$check().map(Self).map_err(D::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                Span::json_schema(generator)
            }
        }
    };
}

bounded!(Ttl, ttl);
bounded!(Lease, lease);

/// A number from `LEAST` to `MOST`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Within<const LEAST: u64, const MOST: u64>(pub u64);

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for Within<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let said = Value::deserialize(from)?;
        if let Some(number) = said.as_u64().filter(|number| (LEAST..=MOST).contains(number)) {
            return Ok(Self(number));
        }
        // A number is short; what else was said may be anything.
        let what = if said.is_number() { said.to_string() } else { "what was said".to_owned() };
        Err(D::Error::custom(format!("{what} is not a whole number from {LEAST} to {MOST}")))
    }
}

impl<const LEAST: u64, const MOST: u64> JsonSchema for Within<LEAST, MOST> {
    fn schema_name() -> Cow<'static, str> {
        format!("From{LEAST}To{MOST}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}

impl<const LEAST: u64, const MOST: u64> Within<LEAST, MOST> {
    /// How many items that is.
    pub fn count(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// A JSON object of the caller's own, which is kept as it was written. As a text it is kept digit by digit, also where a
/// number has more digits than readers of JSON usually keep.
#[derive(Debug, Clone)]
pub struct Blob(pub Object);

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = match Value::deserialize(from)? {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Object::parse(&text).map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for Blob {
    fn schema_name() -> Cow<'static, str> {
        "Blob".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["object", "string"] })
    }
}

/// Any JSON, or the text of it, kept as a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(pub String);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(from)? {
            Value::String(text) => Self(text),
            other => Self(other.to_string()),
        })
    }
}

impl JsonSchema for Json {
    fn schema_name() -> Cow<'static, str> {
        "Json".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["object", "array", "string", "number", "boolean"] })
    }
}

/// A moment in ISO 8601 with a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(pub Micros);

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let at = Micros::parse_iso(text).map(Self);
        at.ok_or_else(|| {
            "use ISO 8601 with a zone, from 1970 to the year 9999, like 2026-12-01T08:00:00Z".to_owned()
        })
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// A moment as Relayna's clients say it: in ISO 8601, and in UTC where it names no zone.
pub(crate) fn moment_of(name: &str, text: Option<&str>) -> Result<Option<Micros>, crate::Fault> {
    let wrong = || crate::Fault::bad(name, "give a moment in ISO 8601");
    text.map(|text| quorate_plane::tasks::moment(text).ok_or_else(wrong)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_a_unit_and_bounds() {
        let parse = |text: &str| text.parse::<Span>();
        assert_eq!(parse("500ms"), Ok(Span(Duration::from_millis(500))));
        assert_eq!(parse("2h"), Ok(Span(Duration::from_secs(7_200))));
        for bad in
            ["", "5", "-1s", "1.5s", "s", "10 s", "NaN", "1e309", "99999999999999999999s", "400d", "5w"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(parse("999ms").unwrap().lease().is_err() && parse("24h").unwrap().lease().is_ok());
        assert!(parse("0s").unwrap().ttl().is_err() && parse("1ms").unwrap().ttl().is_ok());
    }

    #[test]
    fn a_number_out_of_bounds_is_told_its_bounds_whatever_it_is() {
        let parse = |text: &str| serde_json::from_str::<Within<1, 500>>(text);
        assert_eq!(parse("500").unwrap().count(), 500);
        for bad in ["0", "501", "-1", "1.5", "1e300", "\"10\"", "null", "[]", "18446744073709551616"] {
            let told = parse(bad).unwrap_err().to_string();
            assert!(told.contains("is not a whole number from 1 to 500"), "{bad}: {told}");
        }
    }
}
