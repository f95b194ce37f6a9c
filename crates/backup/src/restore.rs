//! Bringing a backup back: check all of the file, load it, mark the target, copy, verify, unmark.

use std::path::Path;

use futures_util::{StreamExt, TryStreamExt, pin_mut};
use quorate_store::cmd;
use quorate_store::invariant::Scope;

use crate::backup::workplace;
use crate::file::{self, Manifest};
use crate::marker::{self, Names};
use crate::private::Private;
use crate::side::{AT_ONCE, Side};
use crate::verify::{self, Differences};
use crate::{Options, Phase, Progress, Result, admission, copy};

/// A store that was restored and verified.
#[derive(Debug, Clone)]
pub struct Restored {
    /// What the file says about itself.
    pub manifest: Manifest,
    /// Keys that were written.
    pub keys: u64,
    /// What was noted of this restore, and of those before it that were cut off.
    pub notes: Vec<String>,
}

/// Copies the backup at `path` into the store. Nothing is written before the file has been found whole.
pub async fn restore(
    scope: &Scope,
    path: &Path,
    options: &Options,
    progress: Progress<'_>,
) -> Result<Restored> {
    let restored = restore_noted(scope, path, options, None, progress).await?;
    finish(scope).await?;
    Ok(restored)
}

/// The same for a caller who has something to put down in the restored store before it counts as whole: `note` is kept
/// beside the copy from before the first key is deleted until [`finish`].
pub async fn restore_noted(
    scope: &Scope,
    path: &Path,
    options: &Options,
    note: Option<&str>,
    progress: Progress<'_>,
) -> Result<Restored> {
    let names = Names::of(scope);
    let opened = file::open(path)?;
    let manifest = opened.manifest.clone();
    let target = Side::new(&scope.store, vec![names.marker.clone()]).await?;
    admission::check(&target, &names, &manifest, options.replace).await?;
    let folder = workplace(&std::env::temp_dir())?;
    let (rdbs, sha256) = opened.unpack(folder.path(), progress)?;
    let sources = load(&rdbs, &names, &manifest, options).await?;
    let target = keep_own_record(&sources, target, &names).await?;
    marker::set(&target.store, &names, &sha256, options.replace, note).await?;
    if options.replace {
        clear(&target, progress).await?;
    }
    let keys = copy_all(&sources, &target, &manifest, progress).await?;
    verify::whole(&sources, &target, &manifest, progress).await?;
    let notes = marker::notes(&target.store, &names).await?;
    Ok(Restored { manifest, keys, notes })
}

/// Says that a restored store is whole.
pub async fn finish(scope: &Scope) -> Result<()> {
    marker::clear(&scope.store, &Names::of(scope)).await
}

/// All shards at once: together they take the memory of the store once more, on the machine that restores.
async fn load(
    rdbs: &[impl AsRef<Path>],
    names: &Names,
    manifest: &Manifest,
    options: &Options,
) -> Result<Vec<Private>> {
    let mut sources = Vec::new();
    for rdb in rdbs {
        let private =
            Private::load(rdb.as_ref(), manifest.db, &manifest.server, options.binary.clone()).await?;
        sources.push(private.without(vec![names.marker.clone()]).await?);
    }
    Ok(sources)
}

/// The backup's record of its deployment takes the place of the target's; without one the target's stays.
async fn keep_own_record(sources: &[Private], target: Side, names: &Names) -> Result<Side> {
    for source in sources {
        if source.side.exists(&names.meta).await? {
            return Ok(target);
        }
    }
    Side::new(&target.store, vec![names.marker.clone(), names.meta.clone()]).await
}

/// Deletes all keys but the marker and what stays; the marker is there before, so that a cut here is seen too.
async fn clear(target: &Side, progress: Progress<'_>) -> Result<()> {
    let total = target.count().await?;
    let mut deleted = 0;
    let pages = target.pages().await?;
    pin_mut!(pages);
    while let Some(page) = pages.try_next().await? {
        deleted += page.len() as u64;
        futures_util::stream::iter(page.into_iter().map(Ok))
            .try_for_each_concurrent(AT_ONCE, |key| unlink(target, key))
            .await?;
        progress(Phase::Clearing, deleted, total);
    }
    Ok(())
}

async fn unlink(target: &Side, key: Vec<u8>) -> Result<()> {
    Ok(target.store.repeatable().query(cmd("UNLINK").arg(key)).await?)
}

async fn copy_all(
    sources: &[Private],
    target: &Side,
    manifest: &Manifest,
    progress: Progress<'_>,
) -> Result<u64> {
    let mut done = 0;
    for source in sources {
        let pages = source.side.pages().await?;
        pin_mut!(pages);
        while let Some(page) = pages.try_next().await? {
            done += copy_page(&source.side, target, page).await?;
            progress(Phase::Restoring, done, manifest.keys());
        }
    }
    Ok(done)
}

async fn copy_page(source: &Side, target: &Side, page: Vec<Vec<u8>>) -> Result<u64> {
    let mut differences = Differences::default();
    let count = page.len() as u64;
    let copies = futures_util::stream::iter(page).map(|key| async move {
        // Two pages may name the same key, and appending to a list twice would not be a copy.
        unlink(target, key.clone()).await?;
        let same = !copy::key(source, target, &key).await? || verify::same(source, target, &key).await?;
        Ok::<_, crate::Error>((key, same))
    });
    let copies = copies.buffer_unordered(AT_ONCE);
    pin_mut!(copies);
    while let Some((key, same)) = copies.try_next().await? {
        if !same {
            differences.add(&key);
        }
    }
    differences.into_result()?;
    Ok(count)
}
