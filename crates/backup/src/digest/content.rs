//! The content of every type but streams, in a fixed order and in bounded pieces.

use quorate_store::cmd;
use sha2::Digest as _;

use super::{Hasher, Sum};
use crate::copy::page;
use crate::side::Side;
use crate::{Error, Result};

/// How often a collection is read again whose count does not fit: a table that shrinks may list a member twice.
const ATTEMPTS: usize = 5;

/// What the fields of a hash say about their own expiries.
#[derive(Default)]
pub(super) struct FieldFacts {
    pub(super) first_end: Option<u64>,
    pub(super) expiring: u64,
}

pub(super) async fn string(side: &Side, key: &[u8], hash: &mut Hasher) -> Result<()> {
    let mut offset = 0;
    loop {
        let part = page::text(side, key, offset).await?;
        hash.0.update(&part);
        offset += part.len();
        if part.len() < page::TEXT {
            hash.number(offset as i64);
            return Ok(());
        }
    }
}

pub(super) async fn list(side: &Side, key: &[u8], hash: &mut Hasher) -> Result<()> {
    let mut index = 0;
    loop {
        let elements = page::elements(side, key, index).await?;
        hash.parts(&elements);
        if elements.len() < page::PAGE {
            return Ok(());
        }
        index += elements.len();
    }
}

/// A server orders members by score and then by their bytes, which is an order that can be relied on.
pub(super) async fn zset(side: &Side, key: &[u8], hash: &mut Hasher) -> Result<()> {
    let mut rank = 0;
    loop {
        let scored = page::scored(side, key, rank).await?;
        for (member, score) in &scored {
            // Minus zero equals zero and not every encoding keeps it apart.
            hash.part(member).number((score + 0.0).to_bits() as i64);
        }
        if scored.len() < page::PAGE {
            return Ok(());
        }
        rank += scored.len();
    }
}

pub(super) async fn set(side: &Side, key: &[u8], hash: &mut Hasher) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let sum = members(side, key).await?;
        if sum.count == side.store.query::<u64>(cmd("SCARD").arg(key)).await? {
            hash.part(sum.hex().as_bytes());
            return Ok(());
        }
    }
    Err(Error::Unstable { key: key.to_owned() })
}

async fn members(side: &Side, key: &[u8]) -> Result<Sum> {
    let (mut sum, mut cursor) = (Sum::default(), 0);
    loop {
        let part = page::members(side, key, cursor).await?;
        part.items.iter().for_each(|member| sum.add(&Hasher::default().part(member).done()));
        cursor = part.cursor;
        if cursor == 0 {
            return Ok(sum);
        }
    }
}

pub(super) async fn hash(side: &Side, key: &[u8], hash: &mut Hasher) -> Result<FieldFacts> {
    for _ in 0..ATTEMPTS {
        let (sum, facts) = fields(side, key).await?;
        // A hash whose fields expire still counts those that have, so its count proves nothing.
        if facts.expiring > 0 || sum.count == side.store.query::<u64>(cmd("HLEN").arg(key)).await? {
            hash.part(sum.hex().as_bytes());
            return Ok(facts);
        }
    }
    Err(Error::Unstable { key: key.to_owned() })
}

async fn fields(side: &Side, key: &[u8]) -> Result<(Sum, FieldFacts)> {
    let (mut sum, mut facts, mut cursor) = (Sum::default(), FieldFacts::default(), 0);
    loop {
        let part = page::fields(side, key, cursor).await?;
        for field in &part.items {
            let expiry = field.expiry.map_or(-1, |at| at as i64);
            sum.add(&Hasher::default().part(&field.name).part(&field.value).number(expiry).done());
            facts.expiring += u64::from(field.expiry.is_some());
            facts.first_end = facts.first_end.into_iter().chain(field.expiry).min();
        }
        cursor = part.cursor;
        if cursor == 0 {
            return Ok((sum, facts));
        }
    }
}
