//! Whether a restored store holds what the backup holds.
//!
//! The sum over all staying keys is compared with the manifest's. Only when they differ is every key looked at, to
//! say which ones. Keys that expire are compared one by one while they are restored, since their sum changes.

use futures_util::{StreamExt, TryStreamExt, pin_mut};

use crate::digest::{self, Record, Sum};
use crate::error::shown;
use crate::file::Manifest;
use crate::private::Private;
use crate::side::{AT_ONCE, Side};
use crate::{Error, Progress, Result};

/// How many differing keys a message names.
const NAMED: usize = 10;

/// Keys that differ: all are counted, some are named.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    total: u64,
    keys: Vec<String>,
}

impl Differences {
    pub(crate) fn add(&mut self, key: &[u8]) {
        self.total += 1;
        if self.keys.len() < NAMED {
            self.keys.push(shown(key));
        }
    }

    pub(crate) fn into_result(self) -> Result<()> {
        if self.total == 0 { Ok(()) } else { Err(Error::Differs { total: self.total, keys: self.keys }) }
    }
}

/// Compares the target with the manifest, and says which keys differ if any do.
pub(crate) async fn whole(
    sources: &[Private],
    target: &Side,
    manifest: &Manifest,
    progress: Progress<'_>,
) -> Result<()> {
    if matches(target, manifest, progress).await? {
        return Ok(());
    }
    let mut differences = Differences::default();
    for source in sources {
        missing_or_changed(&source.side, target, &mut differences).await?;
    }
    unknown(sources, target, &mut differences).await?;
    differences.into_result()?;
    // Every key is as it was read: either a key was listed twice the first time, or the reading was wrong.
    if matches(target, manifest, progress).await? { Ok(()) } else { Err(Error::Unfaithful) }
}

async fn matches(target: &Side, manifest: &Manifest, progress: Progress<'_>) -> Result<bool> {
    let mut expected = Sum::default();
    manifest.shards.iter().for_each(|shard| expected.join(shard.keys, &shard.digest));
    Ok(digest::of(target, manifest.keys(), progress).await?.sum == expected)
}

async fn missing_or_changed(source: &Side, target: &Side, differences: &mut Differences) -> Result<()> {
    let pages = source.pages().await?;
    pin_mut!(pages);
    while let Some(page) = pages.try_next().await? {
        let pairs = futures_util::stream::iter(page)
            .map(|key| async move { (same(source, target, &key).await, key) });
        let pairs = pairs.buffer_unordered(AT_ONCE);
        pin_mut!(pairs);
        while let Some((same, key)) = pairs.next().await {
            if !same? {
                differences.add(&key);
            }
        }
    }
    Ok(())
}

async fn unknown(sources: &[Private], target: &Side, differences: &mut Differences) -> Result<()> {
    let pages = target.pages().await?;
    pin_mut!(pages);
    while let Some(page) = pages.try_next().await? {
        for key in page {
            let mut known = false;
            for source in sources {
                known = known || source.side.exists(&key).await?;
            }
            let record = digest::record(target, &key).await?;
            // One that expires may just have done so in the source.
            if !known && record.is_some_and(|record| record.ends.is_none()) {
                differences.add(&key);
            }
        }
    }
    Ok(())
}

/// Whether a key is the same on both sides, or differs only because its time has come.
pub(crate) async fn same(source: &Side, target: &Side, key: &[u8]) -> Result<bool> {
    let (ours, theirs) = (digest::record(source, key).await?, digest::record(target, key).await?);
    if ours.map(|record| record.hash) == theirs.map(|record| record.hash) {
        return Ok(true);
    }
    let now = source.store.time().await?.max(target.store.time().await?).millis();
    let ended = |record: Option<Record>| record.and_then(|record| record.ends).is_some_and(|at| at <= now);
    // Without a record of ours the key has expired in the source since it was listed.
    Ok(ours.is_none() || ended(ours) || ended(theirs))
}
