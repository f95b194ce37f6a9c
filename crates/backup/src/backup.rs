//! Taking a backup: every master's snapshot into one file, read back by a real server before the file gets its name.

use std::path::Path;

use quorate_store::deployment;
use quorate_store::invariant::Scope;
use tempfile::TempDir;

use crate::file::{self, Draft, Manifest, Shard};
use crate::marker::{self, Names};
use crate::private::Private;
use crate::sync::{self, Received};
use crate::topology::Topology;
use crate::{Error, Options, Progress, Result, digest};

/// A backup that was taken and verified.
#[derive(Debug, Clone)]
pub struct Taken {
    /// What the file says about itself.
    pub manifest: Manifest,
    /// The size of the file.
    pub bytes: u64,
    /// The sha256 of the file, as `sha256sum` prints it.
    pub sha256: String,
}

/// Copies the store into `path`. The file appears there complete and verified, or not at all.
pub async fn backup(scope: &Scope, path: &Path, options: &Options, progress: Progress<'_>) -> Result<Taken> {
    if let Some(since) = marker::since(&scope.store, &Names::of(scope)).await? {
        return Err(Error::Partial { since });
    }
    let topology = Topology::of(&scope.store).await?;
    let masters = scope.store.masters().await?;
    let mut draft = Draft::create(path, masters.len(), options.replace)?;
    let mut manifest = manifest(scope).await?;
    let mut received = Vec::new();
    for master in &masters {
        received.push(sync::receive(master, &mut draft, progress).await?);
    }
    topology.must_be_as_before(&scope.store).await?;
    manifest.shards = received.into_iter().map(unverified).collect();
    draft.describe(&manifest)?;
    read_back(&draft, &mut manifest, options, progress).await?;
    draft.describe(&manifest)?;
    let (bytes, sha256) = measure(&draft, progress).await?;
    draft.publish(options.replace)?;
    Ok(Taken { manifest, bytes, sha256 })
}

async fn manifest(scope: &Scope) -> Result<Manifest> {
    let info = scope.store.info("server").await?;
    let server = match info.get("valkey_version") {
        Some(version) => format!("valkey {version}"),
        None => format!("redis {}", info.get("redis_version").unwrap_or("of an unknown version")),
    };
    Ok(Manifest {
        quorate: env!("CARGO_PKG_VERSION").to_owned(),
        created: scope.store.time().await?.iso(),
        server,
        db: scope.store.target().db(),
        other_keys: 0,
        layout: deployment::recorded_layout(&scope.store, &scope.keys).await?,
        shards: Vec::new(),
    })
}

fn unverified(received: Received) -> Shard {
    let Received { bytes, sha256 } = received;
    Shard { bytes, sha256, keys: 0, expiring: 0, field_expiries: 0, digest: format!("{:032x}", 0) }
}

/// Loads what was written, as a restore will, and notes what is in it.
async fn read_back(
    draft: &Draft,
    manifest: &mut Manifest,
    options: &Options,
    progress: Progress<'_>,
) -> Result<()> {
    let folder = workplace(&draft.folder())?;
    let (paths, _) = file::open(draft.path())?.unpack(folder.path(), progress)?;
    for (path, shard) in paths.iter().zip(&mut manifest.shards) {
        let private = Private::load(path, manifest.db, &manifest.server, options.binary.clone()).await?;
        let count = private.side.count().await?;
        let digest = digest::of(&private.side, count, progress).await?;
        manifest.other_keys += private.all_keys().await?.saturating_sub(count);
        (shard.keys, shard.expiring) = (digest.sum.count, digest.expiring);
        (shard.field_expiries, shard.digest) = (digest.field_expiries, digest.sum.hex());
    }
    Ok(())
}

/// Reads the finished file once more from end to end, as a restore will.
async fn measure(draft: &Draft, progress: Progress<'_>) -> Result<(u64, String)> {
    let length = std::fs::metadata(draft.path()).map_err(|source| Error::read(draft.path(), source))?.len();
    Ok((length, file::open(draft.path())?.sha256(progress)?))
}

/// A private directory, removed with its value.
pub(crate) fn workplace(folder: &Path) -> Result<TempDir> {
    tempfile::Builder::new()
        .prefix(".quorate-")
        .tempdir_in(folder)
        .map_err(|source| Error::workplace(folder, source))
}
