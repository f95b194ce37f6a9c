//! `quorate backup FILE`.

use std::path::PathBuf;
use std::time::Instant;

use quorate_backup::{Options, Taken};
use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::phases::{Phases, or_interrupted};
use crate::plane;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where to put the copy; it appears there complete and verified, or not at all.
    file: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let began = Instant::now();
    let scope = plane::connect(global).await?;
    let (phases, options) = (Phases::default(), Options::replace(args.force));
    let progress = |phase, done, total| phases.set(phase, done, total);
    let taken = or_interrupted(quorate_backup::backup(&scope, &args.file, &options, &progress)).await;
    phases.finish();
    Ok(answer(args, &taken?, began))
}

fn answer(args: &Args, taken: &Taken, began: Instant) -> Answer {
    let Taken { manifest, bytes, sha256, .. } = taken;
    let file = args.file.display().to_string();
    let left_out = match manifest.other_keys {
        0 => String::new(),
        keys => format!("; {keys} keys of other databases than {} will not be restored", manifest.db),
    };
    let (keys, server) = (manifest.keys(), &manifest.server);
    let line = format!("{keys} keys of {server} in {file}, {bytes} bytes, read back and verified{left_out}");
    let json = json!({
        "outcome": "saved", "file": file, "bytes": bytes, "keys": keys, "shards": manifest.shards.len(),
        "sha256": sha256, "db": manifest.db, "keys_of_other_dbs": manifest.other_keys,
        "took_ms": u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    Answer::new(json, View::Text(format!("{}\nsha256 {sha256}", quorate_catalog::text::harmless(&line))))
}
