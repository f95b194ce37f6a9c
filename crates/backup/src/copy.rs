//! One key from one server to another, by the commands that every supported server has.
//!
//! `DUMP` and `RESTORE` would be shorter, but a server refuses the serialisation of a newer one, and an older server
//! is a place a store must be able to go back to.

pub(crate) mod page;
mod stream;
pub(crate) mod streams;

use quorate_store::cmd;

use crate::digest::facts;
use crate::side::Side;
use crate::{Error, Result};

/// Copies a key that the target does not have. Says whether it changes by itself, because it or its fields expire.
pub(crate) async fn key(from: &Side, to: &Side, key: &[u8]) -> Result<bool> {
    let (kind, expiry) = facts(from, key).await?;
    let copied = content(from, to, key, &kind).await;
    let fields_expire = match copied {
        Err(_) if expiry >= 0 && facts(from, key).await?.0 == "none" => {
            // It expired under our hands, and what was copied of it must go too.
            to.store.query::<u64>(cmd("UNLINK").arg(key)).await?;
            return Ok(true);
        }
        other => other?,
    };
    if expiry >= 0 {
        to.store.query::<bool>(cmd("PEXPIREAT").arg(key).arg(expiry)).await?;
    }
    Ok(fields_expire || expiry >= 0 || kind == "none")
}

async fn content(from: &Side, to: &Side, key: &[u8], kind: &str) -> Result<bool> {
    match kind {
        "none" => {}
        "string" => string(from, to, key).await?,
        "list" => list(from, to, key).await?,
        "set" => set(from, to, key).await?,
        "zset" => zset(from, to, key).await?,
        "hash" => return hash(from, to, key).await,
        "stream" => stream::copy(from, to, key).await?,
        _ => return Err(Error::UnknownType { key: key.to_owned(), kind: kind.to_owned() }),
    }
    Ok(false)
}

async fn string(from: &Side, to: &Side, key: &[u8]) -> Result<()> {
    let mut offset = 0;
    loop {
        let part = page::text(from, key, offset).await?;
        let write = if offset == 0 { "SET" } else { "APPEND" };
        to.store.query::<()>(cmd(write).arg(key).arg(&part)).await?;
        if part.len() < page::TEXT {
            return Ok(());
        }
        offset += part.len();
    }
}

async fn list(from: &Side, to: &Side, key: &[u8]) -> Result<()> {
    let mut index = 0;
    loop {
        let elements = page::elements(from, key, index).await?;
        if !elements.is_empty() {
            to.store.query::<u64>(cmd("RPUSH").arg(key).arg(&elements)).await?;
        }
        if elements.len() < page::PAGE {
            return Ok(());
        }
        index += elements.len();
    }
}

async fn zset(from: &Side, to: &Side, key: &[u8]) -> Result<()> {
    let mut rank = 0;
    loop {
        let scored = page::scored(from, key, rank).await?;
        let mut add = cmd("ZADD");
        add.arg(key);
        // The shortest text that reads back as the same number.
        for (member, score) in &scored {
            add.arg(format!("{score:?}")).arg(member);
        }
        if !scored.is_empty() {
            to.store.query::<u64>(&add).await?;
        }
        if scored.len() < page::PAGE {
            return Ok(());
        }
        rank += scored.len();
    }
}

async fn set(from: &Side, to: &Side, key: &[u8]) -> Result<()> {
    let mut cursor = 0;
    loop {
        let part = page::members(from, key, cursor).await?;
        if !part.items.is_empty() {
            to.store.query::<u64>(cmd("SADD").arg(key).arg(&part.items)).await?;
        }
        cursor = part.cursor;
        if cursor == 0 {
            return Ok(());
        }
    }
}

/// Says whether a field of it expires by itself.
async fn hash(from: &Side, to: &Side, key: &[u8]) -> Result<bool> {
    let (mut cursor, mut expiring) = (0, false);
    loop {
        let part = page::fields(from, key, cursor).await?;
        if !part.items.is_empty() {
            let mut set = cmd("HSET");
            set.arg(key);
            for field in &part.items {
                set.arg(&field.name).arg(&field.value);
            }
            to.store.query::<u64>(&set).await?;
        }
        for (field, at) in part.items.iter().filter_map(|field| Some((field, field.expiry?))) {
            expiring = true;
            let expire = cmd("HPEXPIREAT").arg(key).arg(at).arg("FIELDS").arg(1).arg(&field.name).clone();
            to.store.query::<Vec<i64>>(&expire).await?;
        }
        cursor = part.cursor;
        if cursor == 0 {
            return Ok(expiring);
        }
    }
}
