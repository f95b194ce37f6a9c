//! `quorate restore FILE`.

use std::path::PathBuf;
use std::time::Instant;

use quorate_audit::Report;
use quorate_backup::{Options, Restored};
use serde_json::json;

use super::fsck;
use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::phases::{Phases, or_interrupted};
use crate::plane;
use crate::trail::{Act, restored};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file that `quorate backup` made.
    file: PathBuf,
    /// Delete everything the store holds first, after the file has been found whole.
    #[arg(long)]
    replace: bool,
}

pub(crate) async fn run(global: &Global, args: &Args, act: Option<&Act>) -> Result<Answer, Failure> {
    let began = Instant::now();
    let scope = plane::connect(global).await?;
    let (phases, options) = (Phases::default(), Options::replace(args.replace));
    let progress = |phase, done, total| phases.set(phase, done, total);
    let note = match act {
        Some(act) => Some(restored::note(global, act).await),
        None => None,
    };
    let work = quorate_backup::restore_noted(&scope, &args.file, &options, note.as_deref(), &progress);
    let restored = or_interrupted(work).await;
    phases.finish();
    let restored = restored?;
    // Once more from the start: the layout is now the one of the backup.
    let scope = plane::connect(global).await?;
    restored::pass_on(global, act, &restored.notes).await?;
    quorate_backup::finish(&scope).await?;
    let report = quorate_audit::run(&scope, &fsck::invariants(), false, &|_, _| {}).await?;
    let mut answer = answer(args, &restored, &report, began);
    if let Some(before) = act.and_then(|act| restored::before(act, &restored.notes)) {
        answer.json["before"] = before;
    }
    Ok(answer)
}

fn answer(args: &Args, restored: &Restored, report: &Report, began: Instant) -> Answer {
    let file = args.file.display().to_string();
    let line = format!("{} keys restored from {file} and verified", restored.keys);
    let json = json!({
        "outcome": "restored", "file": file, "keys": restored.keys, "verified": true, "fsck": report,
        "took_ms": u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    // Of a sound store the last line says enough.
    let found = fsck::text(report);
    let found = if report.is_clean() { found.lines().last().unwrap_or_default() } else { &found };
    let view = View::Text(format!("{}\n{found}", quorate_catalog::text::harmless(&line)));
    let exit = if report.is_clean() { 0 } else { Exit::Fault as u8 };
    Answer { exit, ..Answer::new(json, view) }
}
