//! A conformance case shows both directions for one family: the seed's own command writes and we read; we write and
//! the seed's own command reads.
//!
//! A case that passes leaves a file named after its family where `QUORATE_CONFORMANCE_DIR` says; `cargo xtask test`
//! counts them, n of 114, and refuses a finished capability that owes one.

use std::path::PathBuf;

use quorate_catalog::FamilyId;

use crate::bench::Bench;

/// Runs both directions on servers with the seeds' own key names, and records the family when both hold.
pub async fn both_directions(
    family: FamilyId,
    seed_writes_and_we_read: impl AsyncFnOnce(&Bench),
    we_write_and_seed_reads: impl AsyncFnOnce(&Bench),
) {
    seed_writes_and_we_read(&Bench::verbatim().await).await;
    we_write_and_seed_reads(&Bench::verbatim().await).await;
    if let Some(folder) = std::env::var_os("QUORATE_CONFORMANCE_DIR").map(PathBuf::from) {
        std::fs::create_dir_all(&folder).expect("the conformance folder");
        std::fs::write(folder.join(family.name()), "").expect("the conformance record");
    }
}
