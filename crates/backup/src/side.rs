//! One end of a copy: a store, how patient to be with it, and what its server can do.

use std::time::Duration;

use futures_util::{Stream, TryStreamExt};
use quorate_store::{Page, Store, Value, cmd};

use crate::Result;

/// A page of a large key may take a busy server a while; giving up means to start the whole restore again.
const PATIENCE: Duration = Duration::from_secs(60);
/// Keys the server looks at for one page.
const PAGE: usize = 1_000;
/// Keys that are worked on at once.
pub(crate) const AT_ONCE: usize = 64;

#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) store: Store,
    /// Whether its hash fields can expire one by one.
    pub(crate) field_expiry: bool,
    /// Keys that are no part of a copy.
    left_out: Vec<Vec<u8>>,
}

impl Side {
    pub(crate) async fn new(store: &Store, left_out: Vec<Vec<u8>>) -> Result<Self> {
        let store = store.within(PATIENCE);
        let known: Vec<Value> =
            store.query(cmd("COMMAND").arg("INFO").arg("HPEXPIREAT")).await.unwrap_or_default();
        let field_expiry = known.first().is_some_and(|fact| *fact != Value::Nil);
        Ok(Self { store, field_expiry, left_out })
    }

    /// All keys but those that are left out, page by page.
    pub(crate) async fn pages(&self) -> Result<impl Stream<Item = Result<Page>> + use<>> {
        let left_out = self.left_out.clone();
        let pages = self.store.scan("*", PAGE).await?;
        let keep = move |mut page: Page| {
            page.retain(|key| !left_out.contains(key));
            // A server may name a key twice, and two tasks on one key would be in each other's way.
            page.sort();
            page.dedup();
            page
        };
        Ok(pages.map_ok(keep).map_err(Into::into))
    }

    pub(crate) async fn count(&self) -> Result<u64> {
        Ok(self.store.each_master::<u64>(&cmd("DBSIZE")).await?.iter().sum())
    }

    pub(crate) async fn exists(&self, key: &[u8]) -> Result<bool> {
        Ok(self.store.query(cmd("EXISTS").arg(key)).await?)
    }
}
