//! Reading large keys a page at a time. Every reader of content goes through here, so memory is bounded in one place.

use quorate_store::cmd;

use crate::Result;
use crate::side::Side;

/// The most of a string that is read at once. What is shorter is the end of it.
pub(crate) const TEXT: usize = 1024 * 1024;
/// Members, fields and entries of one page. What is read by position ends with a page that has fewer.
pub(crate) const PAGE: usize = 500;

/// One page of a collection; after the last one the cursor is 0.
pub(crate) struct Part<T> {
    pub(crate) cursor: u64,
    pub(crate) items: Vec<T>,
}

/// A field with its value, and when it expires by itself.
pub(crate) struct Field {
    pub(crate) name: Vec<u8>,
    pub(crate) value: Vec<u8>,
    pub(crate) expiry: Option<u64>,
}

/// A piece of a string.
pub(crate) async fn text(side: &Side, key: &[u8], offset: usize) -> Result<Vec<u8>> {
    Ok(side.store.query(cmd("GETRANGE").arg(key).arg(offset).arg(offset + TEXT - 1)).await?)
}

/// Elements of a list from an index on.
pub(crate) async fn elements(side: &Side, key: &[u8], from: usize) -> Result<Vec<Vec<u8>>> {
    Ok(side.store.query(cmd("LRANGE").arg(key).arg(from).arg(from + PAGE - 1)).await?)
}

/// Members with their scores, by rank.
pub(crate) async fn scored(side: &Side, key: &[u8], from: usize) -> Result<Vec<(Vec<u8>, f64)>> {
    let mut range = cmd("ZRANGE");
    Ok(side.store.query(range.arg(key).arg(from).arg(from + PAGE - 1).arg("WITHSCORES")).await?)
}

pub(crate) async fn members(side: &Side, key: &[u8], cursor: u64) -> Result<Part<Vec<u8>>> {
    let (cursor, items) = side.store.query(cmd("SSCAN").arg(key).arg(cursor).arg("COUNT").arg(PAGE)).await?;
    Ok(Part { cursor, items })
}

/// Fields of a hash. A field that has expired since it was listed is left out.
pub(crate) async fn fields(side: &Side, key: &[u8], cursor: u64) -> Result<Part<Field>> {
    let scan = cmd("HSCAN").arg(key).arg(cursor).arg("COUNT").arg(PAGE).clone();
    let (cursor, flat): (u64, Vec<Vec<u8>>) = side.store.query(&scan).await?;
    let expiries = expiries(side, key, &flat).await?;
    let mut items = Vec::new();
    let mut flat = flat.into_iter();
    for expiry in expiries {
        let (Some(name), Some(value)) = (flat.next(), flat.next()) else { break };
        match expiry {
            -2 => {}
            other => items.push(Field { name, value, expiry: u64::try_from(other).ok() }),
        }
    }
    Ok(Part { cursor, items })
}

/// For each field of a flat list of fields and values: -1 if it never expires, -2 if it is gone.
async fn expiries(side: &Side, key: &[u8], flat: &[Vec<u8>]) -> Result<Vec<i64>> {
    let count = flat.len() / 2;
    if !side.field_expiry || count == 0 {
        return Ok(vec![-1; count]);
    }
    let mut ask = cmd("HPEXPIRETIME");
    ask.arg(key).arg("FIELDS").arg(count);
    for name in flat.iter().step_by(2) {
        ask.arg(name);
    }
    Ok(side.store.query::<Option<Vec<i64>>>(&ask).await?.unwrap_or_else(|| vec![-2; count]))
}
