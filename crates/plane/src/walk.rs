//! A walk over all keys of one family, for checks that must find every entity.

use std::collections::BTreeSet;

use futures_util::{TryStreamExt, pin_mut};
use quorate_catalog::{Catalog, Key};
use quorate_store::Result;
use quorate_store::invariant::Scope;

const PAGE: usize = 1_000;

/// The last names of all keys of the family that `example` is of.
pub(crate) async fn names(scope: &Scope, example: &Key) -> Result<Vec<String>> {
    let catalog = Catalog::built_in();
    let family = catalog.find(example.family().name()).into_iter().next();
    match family.and_then(|family| scope.keys.around(catalog, family)) {
        Some((before, after)) => between(scope, &before, &after).await,
        None => Ok(vec![]),
    }
}

/// What stands between these two in all keys that have both.
pub(crate) async fn between(scope: &Scope, before: &str, after: &str) -> Result<Vec<String>> {
    let pages = scope.store.scan(&format!("{before}*{after}"), PAGE).await?;
    pin_mut!(pages);
    let mut names = BTreeSet::new();
    while let Some(page) = pages.try_next().await? {
        let texts = page.into_iter().filter_map(|key| String::from_utf8(key).ok());
        names.extend(texts.filter_map(|key| Some(key.strip_prefix(before)?.strip_suffix(after)?.to_owned())));
    }
    Ok(names.into_iter().collect())
}
