//! What a stream is beside its entries: where it stands, its groups, their consumers and what they have not
//! acknowledged. Read in one place for the copy and for the digest.

use std::collections::HashMap;

use quorate_store::{FromRedisValue, Value, cmd, pipe};

pub(crate) use super::page::PAGE;
use crate::side::Side;
use crate::{Error, Result};

/// An entry's id: its time and its number within it. Ordered as the server orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Id(pub(crate) u64, pub(crate) u64);

impl Id {
    fn parse(text: &str) -> Option<Self> {
        let (time, number) = text.split_once('-')?;
        Some(Self(time.parse().ok()?, number.parse().ok()?))
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

pub(crate) struct Entry {
    pub(crate) id: Id,
    /// Fields and values in turn, as they were added; names may repeat.
    pub(crate) fields: Vec<Vec<u8>>,
}

/// Where a stream stands.
pub(crate) struct Position {
    pub(crate) last: Id,
    pub(crate) added: u64,
    pub(crate) max_deleted: Id,
}

pub(crate) struct Group {
    pub(crate) name: Vec<u8>,
    pub(crate) delivered: Id,
    /// How many entries it has read, where the server knows.
    pub(crate) read: Option<u64>,
    pub(crate) consumers: Vec<Vec<u8>>,
}

pub(crate) struct Pending {
    pub(crate) id: Id,
    pub(crate) consumer: Vec<u8>,
    /// When it was delivered last, in Unix milliseconds.
    pub(crate) delivered_at: u64,
    pub(crate) deliveries: u64,
}

/// Entries after an id, in order; the last page has fewer than [`PAGE`].
pub(crate) async fn entries(side: &Side, key: &[u8], after: Option<Id>) -> Result<Vec<Entry>> {
    let mut range = cmd("XRANGE");
    range.arg(key).arg(beyond(after)).arg("+").arg("COUNT").arg(PAGE);
    let raw: Vec<(String, Vec<Vec<u8>>)> = side.store.query(&range).await?;
    raw.into_iter().map(|(id, fields)| Ok(Entry { id: known(key, Id::parse(&id))?, fields })).collect()
}

pub(crate) async fn position(side: &Side, key: &[u8]) -> Result<Position> {
    let facts: HashMap<String, Value> = side.store.query(cmd("XINFO").arg("STREAM").arg(key)).await?;
    let id = |name: &str| known(key, fact::<String>(&facts, name).and_then(|text| Id::parse(&text)));
    let added = known(key, fact(&facts, "entries-added"))?;
    Ok(Position { last: id("last-generated-id")?, added, max_deleted: id("max-deleted-entry-id")? })
}

/// The groups, by name.
pub(crate) async fn groups(side: &Side, key: &[u8]) -> Result<Vec<Group>> {
    let raw: Vec<HashMap<String, Value>> = side.store.query(cmd("XINFO").arg("GROUPS").arg(key)).await?;
    let mut groups = Vec::new();
    for facts in raw {
        let name: Vec<u8> = known(key, fact(&facts, "name"))?;
        let delivered = fact::<String>(&facts, "last-delivered-id").and_then(|text| Id::parse(&text));
        let read = known(key, fact::<Option<u64>>(&facts, "entries-read"))?;
        let consumers = consumers(side, key, &name).await?;
        groups.push(Group { name, delivered: known(key, delivered)?, read, consumers });
    }
    groups.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(groups)
}

async fn consumers(side: &Side, key: &[u8], group: &[u8]) -> Result<Vec<Vec<u8>>> {
    let ask = cmd("XINFO").arg("CONSUMERS").arg(key).arg(group).clone();
    let raw: Vec<HashMap<String, Value>> = side.store.query(&ask).await?;
    let mut names = raw.iter().map(|facts| known(key, fact(facts, "name"))).collect::<Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

/// What a group has not acknowledged, after an id, in order; the last page has fewer than [`PAGE`].
pub(crate) async fn pending(
    side: &Side,
    key: &[u8],
    group: &[u8],
    after: Option<Id>,
) -> Result<Vec<Pending>> {
    // The server tells for how long; its own clock, asked in the same breath, makes that a time.
    let mut ask = pipe();
    ask.cmd("TIME").cmd("XPENDING").arg(key).arg(group).arg(beyond(after)).arg("+").arg(PAGE);
    type Raw = (String, Vec<u8>, u64, u64);
    let ((seconds, micros), raw): ((u64, u64), Vec<Raw>) = side.store.pipeline(&ask).await?;
    let now = seconds * 1000 + micros / 1000;
    let read = |(id, consumer, idle, deliveries): Raw| {
        let id = known(key, Id::parse(&id))?;
        Ok(Pending { id, consumer, delivered_at: now.saturating_sub(idle), deliveries })
    };
    raw.into_iter().map(read).collect()
}

fn beyond(after: Option<Id>) -> String {
    after.map_or("-".to_owned(), |id| format!("({id}"))
}

fn fact<T: FromRedisValue>(facts: &HashMap<String, Value>, name: &str) -> Option<T> {
    T::from_redis_value(facts.get(name)?.clone()).ok()
}

fn known<T>(key: &[u8], fact: Option<T>) -> Result<T> {
    fact.ok_or_else(|| Error::UnknownType {
        key: key.to_owned(),
        kind: "stream of an unknown form".to_owned(),
    })
}
