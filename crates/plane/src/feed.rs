//! Following streams for many viewers: one reader waits for all of them, and a viewer that comes back goes on where it was.
//!
//! A cursor is the id of the last entry that was seen. If it is one that nobody could have seen, or what came after it
//! is gone, that is said as a [`Gap`] and never passed over.

use std::time::Duration;

use quorate_catalog::ids::LogServiceId;
use quorate_catalog::{Key, Keys};
use quorate_store::{Dedicated, FromRedisValue, Result, Value, cmd};
use serde::Serialize;

use crate::Plane;
use crate::events::{Entry, Stream, entries_of, is_id};
use crate::outcome::undecodable;

/// A stream that can be followed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    Events(Stream),
    Log(LogServiceId),
}

impl Source {
    fn key(&self, keys: &Keys) -> Key {
        match self {
            Self::Events(stream) => stream.key(keys),
            Self::Log(service) => keys.reverie().log_stream(service),
        }
    }
}

/// What a viewer will never see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The cursor that was given.
    pub from: String,
    /// Where the stream goes on.
    pub to: String,
    /// `trimmed`, or `unknown` for a cursor that this stream never gave.
    pub reason: &'static str,
}

/// Where a viewer goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumed {
    /// The entry after which it reads.
    pub after: String,
    pub gap: Option<Gap>,
}

/// Following streams.
#[derive(Debug, Clone, Copy)]
pub struct Feed<'p> {
    plane: &'p Plane,
}

impl<'p> Feed<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// The id of the newest entry there ever was; `0-0` for none.
    pub async fn end(&self, source: &Source) -> Result<String> {
        Ok(self.extent(source).await?.last)
    }

    /// Where to go on after a cursor, and what is missing if something is.
    pub async fn resume(&self, source: &Source, cursor: &str) -> Result<Resumed> {
        let extent = self.extent(source).await?;
        let gap = |to: &str, reason| Some(Gap { from: shorten(cursor), to: to.to_owned(), reason });
        let Some(place) = is_id(cursor).then(|| order(cursor)) else {
            return Ok(Resumed { gap: gap(&extent.last, "unknown"), after: extent.last });
        };
        if place > order(&extent.last) {
            return Ok(Resumed { gap: gap(&extent.last, "unknown"), after: extent.last });
        }
        let gone = match &extent.first {
            Some(first) => extent.lossy && place < order(first) && place != (0, 0),
            None => place < order(&extent.last) && place != (0, 0),
        };
        let next = extent.first.as_deref().unwrap_or(&extent.last);
        Ok(Resumed { gap: gone.then(|| gap(next, "trimmed")).flatten(), after: cursor.to_owned() })
    }

    /// The entries after a place, oldest first.
    pub async fn read(&self, source: &Source, after: &str, count: usize) -> Result<Vec<Entry>> {
        let mut range = cmd("XRANGE");
        range
            .arg(source.key(self.plane.keys()).as_str())
            .arg(format!("({after}"))
            .arg("+")
            .arg("COUNT")
            .arg(count);
        entries_of(self.plane.store().query(&range).await?)
    }

    /// A reader with a connection of its own.
    pub fn reader(&self) -> Reader {
        Reader { keys: self.plane.keys().clone(), waiting: self.plane.store().dedicated() }
    }

    async fn extent(&self, source: &Source) -> Result<Extent> {
        let mut info = cmd("XINFO");
        info.arg("STREAM").arg(source.key(self.plane.keys()).as_str());
        match self.plane.store().query::<Value>(&info).await {
            Ok(value) => Extent::read(value).ok_or_else(|| undecodable("XINFO STREAM")),
            Err(error) if error.to_string().contains("no such key") => Ok(Extent::default()),
            Err(error) => Err(error),
        }
    }
}

/// Waits for what comes on any of some streams.
pub struct Reader {
    keys: Keys,
    waiting: Dedicated,
}

impl Reader {
    /// What came after the places, by the position of the source, waiting up to `wait` for it.
    pub async fn next(
        &mut self,
        places: &[(Source, String)],
        wait: Duration,
    ) -> Result<Vec<(usize, Vec<Entry>)>> {
        let mut xread = cmd("XREAD");
        xread.arg("COUNT").arg(500).arg("BLOCK").arg(crate::locks::millis(wait).max(1)).arg("STREAMS");
        let keys: Vec<String> =
            places.iter().map(|(source, _)| source.key(&self.keys).as_str().to_owned()).collect();
        for word in keys.iter().chain(places.iter().map(|(_, after)| after)) {
            xread.arg(word);
        }
        let found: Vec<(String, Value)> = match self.waiting.query(&xread, wait).await? {
            Value::Nil => return Ok(Vec::new()),
            value => FromRedisValue::from_redis_value(value).map_err(|_| undecodable("XREAD"))?,
        };
        let place = |key: &String| keys.iter().position(|own| own == key);
        found
            .into_iter()
            .filter_map(|(key, value)| Some((place(&key)?, value)))
            .map(|(at, value)| Ok((at, entries_of(value)?)))
            .collect()
    }
}

/// What a stream holds, and what it once held.
#[derive(Debug)]
struct Extent {
    first: Option<String>,
    last: String,
    /// Whether anything was ever taken out.
    lossy: bool,
}

impl Default for Extent {
    fn default() -> Self {
        Self { first: None, last: "0-0".to_owned(), lossy: false }
    }
}

impl Extent {
    fn read(value: Value) -> Option<Self> {
        let facts = Vec::<(String, Value)>::from_redis_value(value).ok()?;
        let fact = |name: &str| facts.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        let number = |name: &str| fact(name).and_then(|value| u64::from_redis_value(value).ok());
        let first = fact("first-entry").filter(|value| *value != Value::Nil).and_then(|value| {
            let parts = Vec::<Value>::from_redis_value(value).ok()?;
            String::from_redis_value(parts.first()?.clone()).ok()
        });
        let last = String::from_redis_value(fact("last-generated-id")?).ok()?;
        let lossy = number("entries-added").is_none_or(|added| Some(added) != number("length"));
        Some(Self { first, last, lossy })
    }
}

/// The order of ids, which is not that of their texts.
pub fn order(id: &str) -> (u64, u64) {
    let (ms, seq) = id.split_once('-').unwrap_or((id, "0"));
    (ms.parse().unwrap_or_default(), seq.parse().unwrap_or_default())
}

fn shorten(cursor: &str) -> String {
    cursor.chars().take(64).collect()
}
