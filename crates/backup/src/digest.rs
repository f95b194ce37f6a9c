//! What a key holds, in a few bytes that are the same on every server and in every encoding.
//!
//! A record is the sha256 of a key, its type, its content in a fixed order and its expiry. The records of all keys
//! are added up, so that the order in which a server lists them does not matter. Keys that change by themselves are
//! counted and left out of the sum: it must be the same whenever it is taken. What no server lets us set is left out
//! too: when a pending entry was last delivered is restored, but read back only to the millisecond or so, and when
//! a consumer was last seen is not restored at all.

mod content;
mod stream;

use futures_util::{StreamExt, TryStreamExt, pin_mut};
use quorate_store::{cmd, pipe};
use sha2::{Digest as _, Sha256};

use crate::side::{AT_ONCE, Side};
use crate::{Error, Phase, Progress, Result};

/// What is known of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) hash: [u8; 32],
    /// When it changes by itself for the first time, in Unix milliseconds.
    pub(crate) ends: Option<u64>,
    pub(crate) field_expiries: u64,
}

/// The records of a store, added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Digest {
    pub(crate) sum: Sum,
    pub(crate) expiring: u64,
    pub(crate) field_expiries: u64,
}

/// A sum of hashes: the same in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) count: u64,
    total: u128,
}

impl Sum {
    pub(crate) fn add(&mut self, hash: &[u8; 32]) {
        self.count += 1;
        self.total = self.total.wrapping_add(hash.first_chunk().copied().map_or(0, u128::from_le_bytes));
    }

    pub(crate) fn join(&mut self, count: u64, hex: &str) {
        self.count += count;
        self.total = self.total.wrapping_add(u128::from_str_radix(hex, 16).unwrap_or_default());
    }

    pub(crate) fn hex(&self) -> String {
        format!("{:032x}", self.total)
    }
}

/// The digest of every key.
pub(crate) async fn of(side: &Side, total: u64, progress: Progress<'_>) -> Result<Digest> {
    let mut digest = Digest::default();
    let mut seen = 0;
    let pages = side.pages().await?;
    pin_mut!(pages);
    while let Some(page) = pages.try_next().await? {
        seen += page.len() as u64;
        let records = futures_util::stream::iter(page).map(|key| async move { record(side, &key).await });
        let records = records.buffer_unordered(AT_ONCE);
        pin_mut!(records);
        while let Some(record) = records.try_next().await? {
            record.iter().for_each(|record| digest.add(record));
        }
        progress(Phase::Verifying, seen, total);
    }
    Ok(digest)
}

impl Digest {
    fn add(&mut self, record: &Record) {
        self.field_expiries += record.field_expiries;
        match record.ends {
            Some(_) => self.expiring += 1,
            None => self.sum.add(&record.hash),
        }
    }
}

/// The record of one key, or nothing if there is no such key.
pub(crate) async fn record(side: &Side, key: &[u8]) -> Result<Option<Record>> {
    let (kind, expiry) = facts(side, key).await?;
    match read(side, key, kind, expiry).await {
        // It expired under our hands.
        Err(_) if expiry >= 0 && facts(side, key).await?.0 == "none" => Ok(None),
        other => other,
    }
}

async fn read(side: &Side, key: &[u8], kind: String, expiry: i64) -> Result<Option<Record>> {
    let mut hash = Hasher::default();
    hash.part(key).part(kind.as_bytes()).number(expiry);
    let mut ends = u64::try_from(expiry).ok();
    let mut field_expiries = 0;
    match kind.as_str() {
        "none" => return Ok(None),
        "string" => content::string(side, key, &mut hash).await?,
        "list" => content::list(side, key, &mut hash).await?,
        "set" => content::set(side, key, &mut hash).await?,
        "zset" => content::zset(side, key, &mut hash).await?,
        "stream" => stream::stream(side, key, &mut hash).await?,
        "hash" => {
            let fields = content::hash(side, key, &mut hash).await?;
            ends = ends.into_iter().chain(fields.first_end).min();
            field_expiries = fields.expiring;
        }
        _ => return Err(Error::UnknownType { key: key.to_owned(), kind }),
    }
    Ok(Some(Record { hash: hash.done(), ends, field_expiries }))
}

/// The type of a key, and when it expires: -1 for never.
pub(crate) async fn facts(side: &Side, key: &[u8]) -> Result<(String, i64)> {
    let mut ask = pipe();
    ask.add_command(cmd("TYPE").arg(key).clone()).add_command(cmd("PEXPIRETIME").arg(key).clone());
    Ok(side.store.pipeline(&ask).await?)
}

/// Hashes parts so that no two lists of parts give the same bytes.
#[derive(Default)]
struct Hasher(Sha256);

impl Hasher {
    fn part(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as i64);
        self.0.update(bytes);
        self
    }

    fn number(&mut self, number: i64) -> &mut Self {
        self.0.update(number.to_le_bytes());
        self
    }

    fn parts(&mut self, parts: &[Vec<u8>]) {
        for part in parts {
            self.part(part);
        }
    }

    fn done(&self) -> [u8; 32] {
        self.0.clone().finalize().into()
    }
}
