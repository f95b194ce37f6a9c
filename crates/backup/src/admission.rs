//! Whether a target may take a backup: every reason to refuse is found before anything is written.

use quorate_catalog::Layout;

use crate::file::Manifest;
use crate::marker::{self, Names};
use crate::side::Side;
use crate::{Error, Result};

pub(crate) async fn check(target: &Side, names: &Names, manifest: &Manifest, replace: bool) -> Result<()> {
    if manifest.layout == Some(Layout::Plain) && target.store.target().is_cluster() {
        return Err(Error::Layout);
    }
    if manifest.field_expiries() > 0 && !target.field_expiry {
        return Err(Error::FieldExpiry { fields: manifest.field_expiries() });
    }
    if replace { Ok(()) } else { must_be_empty(target, names).await }
}

/// A plane that has just started has recorded what it is, and nothing else.
async fn must_be_empty(target: &Side, names: &Names) -> Result<()> {
    if let Some(since) = marker::since(&target.store, names).await? {
        return Err(Error::Unfinished { since });
    }
    let own = u64::from(target.exists(&names.meta).await?);
    match target.count().await?.saturating_sub(own) {
        0 => Ok(()),
        keys => Err(Error::NotEmpty { keys }),
    }
}
