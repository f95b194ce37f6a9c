//! `keys counts`.

use std::collections::BTreeMap;

use futures_util::{TryStreamExt, pin_mut};
use quorate_catalog::{Catalog, Matcher};

use crate::prelude::*;

/// Keys the server looks at for one page, and pages of one look.
const PAGE: usize = 1_000;
const PAGES: usize = 30;
/// Longest key that is shown.
const SHOWN: usize = 256;

/// Counts the keys of each family in a sample, with one key of each. A store with few keys is counted in full.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Counts {}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Counted {
    /// When it was looked, by the server's time.
    pub as_of: String,
    /// How many keys the server has, ours and others'.
    pub keys: u64,
    /// How many of them were looked at.
    pub looked: u64,
    /// Whether that were all of them: the counts are then no estimates.
    pub whole: bool,
    /// The families that were met, by name.
    pub families: Vec<Share>,
    /// Keys that fit no family; other programs may have them.
    pub unknown: Option<Share>,
}

/// How many keys a family has.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Share {
    /// The system and the family, with a dot between.
    pub family: String,
    /// How many were met.
    pub met: u64,
    /// How many there are in all, as far as the sample tells.
    pub about: u64,
    /// One that was met.
    pub sample: String,
}

impl Share {
    fn meet(&mut self, key: &[u8]) {
        self.met += 1;
        if self.sample.is_empty() {
            self.sample = String::from_utf8_lossy(&key[..key.len().min(SHOWN)]).into_owned();
        }
    }

    fn scaled(self, keys: u64, looked: u64) -> Self {
        let about = u128::from(self.met) * u128::from(keys) / u128::from(looked.max(1));
        Self { about: u64::try_from(about).unwrap_or(u64::MAX), ..self }
    }
}

impl Verb for Counts {
    const ABOUT: About = About::new("keys", "counts", Method::Get, "/keys/counts", Level::Read, Effect::None);
    type Answer = Counted;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Counted>, Fault> {
        let (store, catalog) = (call.plane.store(), Catalog::built_in());
        let matcher = Matcher::new(catalog, call.plane.keys());
        let (mut met, mut unknown, mut looked) = (BTreeMap::new(), Share::default(), 0);
        // A walk goes through the table of the store, in which keys lie by chance: its beginning is a fair sample.
        let pages = store.scan("*", PAGE).await?;
        pin_mut!(pages);
        let mut whole = false;
        for _ in 0..PAGES {
            let Some(page) = pages.try_next().await? else {
                whole = true;
                break;
            };
            looked += page.len() as u64;
            for key in &page {
                match matcher.find(key) {
                    Some(found) => met.entry(found.family).or_insert_with(Share::default).meet(key),
                    None => unknown.meet(key),
                }
            }
        }
        let size: u64 = store.each_master::<u64>(&quorate_store::cmd("DBSIZE")).await?.iter().sum();
        let keys = if whole { looked } else { size.max(looked) };
        let named = met.into_iter().map(|(at, share)| {
            let family = catalog.families[at].full_name();
            Share { family, ..share }.scaled(keys, looked)
        });
        let mut families: Vec<Share> = named.collect();
        families.sort_by(|a, b| a.family.cmp(&b.family));
        let unknown = Some(unknown).filter(|share| share.met > 0).map(|share| share.scaled(keys, looked));
        let as_of = store.time().await?.iso();
        Ok(Verdict::Done(Counted { as_of, keys, looked, whole, families, unknown }))
    }
}
