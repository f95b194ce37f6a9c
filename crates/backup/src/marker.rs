//! The marker of a restore under way, and the deployment's own record: the two keys a restore treats by name.

use std::collections::BTreeMap;

use quorate_store::invariant::Scope;
use quorate_store::{Store, cmd};

use crate::{Error, Result};

/// The two keys as bytes.
pub(crate) struct Names {
    pub(crate) marker: Vec<u8>,
    pub(crate) meta: Vec<u8>,
}

impl Names {
    pub(crate) fn of(scope: &Scope) -> Self {
        let keys = scope.keys.quorate();
        Self { marker: keys.restore().as_str().into(), meta: keys.meta().as_str().into() }
    }
}

/// When the restore began that this store holds a part of.
pub(crate) async fn since(store: &Store, names: &Names) -> Result<Option<String>> {
    let fields: BTreeMap<String, String> = store.query(cmd("HGETALL").arg(&names.marker)).await?;
    let unknown = || "an unknown time".to_owned();
    Ok((!fields.is_empty())
        .then(|| fields.get("started_at").map_or_else(unknown, |at| quorate_catalog::rule::show(at))))
}

/// Sets the marker, with what is to be known of whoever sets it. Of two restores that begin at the same moment one is
/// refused.
pub(crate) async fn set(
    store: &Store,
    names: &Names,
    sha256: &str,
    replace: bool,
    note: Option<&str>,
) -> Result<()> {
    let now = store.time().await?.iso();
    let set: bool = store.query(cmd("HSETNX").arg(&names.marker).arg("file").arg(sha256)).await?;
    if !set && !replace {
        return Err(Error::Unfinished { since: since(store, names).await?.unwrap_or(now) });
    }
    let mut fields = cmd("HSET");
    fields.arg(&names.marker).arg("file").arg(sha256).arg("started_at").arg(now);
    if let Some(note) = note {
        let mut all = notes(store, names).await?;
        all.push(note.to_owned());
        fields.arg("notes").arg(all.join("\n"));
    }
    Ok(store.query(&fields).await?)
}

/// What was noted of this restore, and of those before it that were cut off. What the store held of them is gone, and this
/// key alone outlives it.
pub(crate) async fn notes(store: &Store, names: &Names) -> Result<Vec<String>> {
    let notes: Option<String> = store.query(cmd("HGET").arg(&names.marker).arg("notes")).await?;
    Ok(notes.unwrap_or_default().lines().map(str::to_owned).collect())
}

pub(crate) async fn clear(store: &Store, names: &Names) -> Result<()> {
    Ok(store.query(cmd("UNLINK").arg(&names.marker)).await?)
}
