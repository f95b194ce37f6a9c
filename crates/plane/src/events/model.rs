//! What the capability speaks of.

use quorate_store::{Error, ErrorKind, FromRedisValue, Micros, Result, Value};
use schemars::JsonSchema;
use serde::Serialize;

use crate::outcome::undecodable;
use crate::{Outcome, Refusal};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What, such as `task:state_changed`.
    pub event: String,
    /// The details, as JSON.
    pub payload: String,
    /// Who says so.
    pub source: String,
}

impl Event {
    pub(super) fn check(&self) -> Result<()> {
        let bad = |what: String| Err(Error::new(ErrorKind::InvalidArgument, "events publish", what));
        if self.event.is_empty() || self.event.len() > 256 || self.event.chars().any(char::is_control) {
            return bad("an event's name has 1 to 256 bytes and no control characters".to_owned());
        }
        if self.source.is_empty() || self.source.len() > 256 {
            return bad("the source has 1 to 256 bytes".to_owned());
        }
        crate::json::check(&self.payload).or_else(|why| bad(format!("the payload: {why}")))
    }
}

/// An entry of a stream, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    pub id: String,
    /// How often it has been given to a consumer of the group, this time included; 0 where no group reads.
    #[serde(skip_serializing_if = "is_zero")]
    pub deliveries: u64,
    #[serde(serialize_with = "as_map")]
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    pub fields: Vec<(String, String)>,
}

impl Entry {
    /// The value of a field; the last one where a foreign client wrote several.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// When it was written, by the server's clock.
    pub fn at(&self) -> Micros {
        Micros::from_millis(self.id.split('-').next().and_then(|ms| ms.parse().ok()).unwrap_or_default())
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn as_map<S: serde::Serializer>(
    fields: &[(String, String)],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(fields.iter().map(|(name, value)| (name, value)))
}

/// Where a new group starts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Start {
    /// With everything that is there.
    #[default]
    Everything,
    /// With what comes from now on.
    New,
    /// After this entry.
    After(String),
}

impl Start {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Everything => "0",
            Self::New => "$",
            Self::After(id) => id,
        }
    }
}

impl std::str::FromStr for Start {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "0" | "0-0" => Ok(Self::Everything),
            "$" => Ok(Self::New),
            _ if is_id(text) => Ok(Self::After(text.to_owned())),
            _ => Err("use 0 for everything, $ for what comes, or the id of an entry".to_owned()),
        }
    }
}

/// Whether a text is the id of an entry.
pub fn is_id(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.len() <= 20 && part.parse::<u64>().is_ok();
    match text.split_once('-') {
        Some((ms, seq)) => number(ms) && number(seq),
        None => number(text),
    }
}

/// A group's or a consumer's name that is safe everywhere.
pub fn check_name(what: &str, text: &str) -> Result<()> {
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let rest = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._@+-".contains(&byte));
    if first && rest && text.len() <= 128 && !text.starts_with("gap-") {
        return Ok(());
    }
    let rule = "starts with a letter or digit, has letters, digits and ._@+- and at most 128 of them";
    Err(Error::new(ErrorKind::InvalidArgument, "events", format!("the {what} {rule}")))
}

/// What a group missed, told to its consumers until one acknowledges it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Gap {
    /// What to acknowledge.
    pub id: String,
    pub unread: u64,
    pub pending: u64,
    pub exact: bool,
    /// The last entry before it.
    pub after: String,
    /// The first entry behind it, if one is left.
    pub before: Option<String>,
    pub cause: String,
    /// Unix microseconds.
    #[schemars(with = "u64")]
    pub at: Micros,
}

impl Gap {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let [unread, pending, exact, after, before, cause, at] = words[..] else { return None };
        Some(Self {
            id: format!("gap-{at}"),
            unread: unread.parse().ok()?,
            pending: pending.parse().ok()?,
            exact: exact == "1",
            after: after.to_owned(),
            before: Some(before.to_owned()).filter(|id| id != "-"),
            cause: cause.to_owned(),
            at: Micros::new(at.parse().ok()?),
        })
    }
}

/// What a read gave.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Batch {
    pub entries: Vec<Entry>,
    /// What the group missed before them.
    pub gap: Option<Gap>,
    /// How many were put aside because they had been delivered too often.
    pub put_aside: u64,
    /// The last entry the group got.
    #[serde(skip)]
    pub(super) last: String,
}

impl Batch {
    pub(super) fn read(value: Value) -> Result<Outcome<Self>> {
        let words = array(value)?;
        if text(words.first()) != "read" {
            return refused(words);
        }
        let [_, last, gap, aside, entries] =
            <[Value; 5]>::try_from(words).map_err(|_| undecodable("read"))?;
        let entries = array(entries)?.into_iter().map(delivered).collect::<Result<_>>()?;
        Ok(Outcome::Done(Self {
            entries,
            gap: Gap::parse(&text(Some(&gap))),
            put_aside: number(&aside),
            last: text(Some(&last)),
        }))
    }
}

/// A script's answer that is not what was hoped for.
pub(super) fn refused<T>(words: Vec<Value>) -> Result<Outcome<T>> {
    if text(words.first()) != "refused" {
        return Err(undecodable(&text(words.first())));
    }
    let detail = words.get(2).map(|word| text(Some(word))).filter(|detail| !detail.is_empty());
    Ok(Outcome::Refused(Refusal::new(&text(words.get(1)), detail)))
}

pub(super) fn array(value: Value) -> Result<Vec<Value>> {
    match value {
        Value::Array(words) => Ok(words),
        other => Err(undecodable(&format!("{other:?}"))),
    }
}

/// Bytes that are no text are shown as far as they are.
pub(super) fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::BulkString(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        Some(Value::SimpleString(text)) => text.clone(),
        Some(Value::Int(number)) => number.to_string(),
        _ => String::new(),
    }
}

pub(super) fn number(value: &Value) -> u64 {
    u64::from_redis_value(value.clone()).unwrap_or_default()
}

/// Entries as XRANGE gives them.
pub(crate) fn entries_of(value: Value) -> Result<Vec<Entry>> {
    array(value)?.into_iter().map(entry).collect()
}

/// An entry as XRANGE gives it.
pub(super) fn entry(value: Value) -> Result<Entry> {
    let parts = array(value)?;
    let [id, fields] = <[Value; 2]>::try_from(parts).map_err(|_| undecodable("an entry"))?;
    Ok(Entry { id: text(Some(&id)), deliveries: 0, fields: pairs(fields)? })
}

/// An entry with the number of its deliveries in the middle.
fn delivered(value: Value) -> Result<Entry> {
    let parts = array(value)?;
    let [id, times, fields] = <[Value; 3]>::try_from(parts).map_err(|_| undecodable("an entry"))?;
    Ok(Entry { id: text(Some(&id)), deliveries: number(&times), fields: pairs(fields)? })
}

fn pairs(value: Value) -> Result<Vec<(String, String)>> {
    let words: Vec<String> = array(value)?.iter().map(|word| text(Some(word))).collect();
    Ok(words.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect())
}
