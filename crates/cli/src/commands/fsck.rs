//! `quorate fsck`.

use quorate_audit::Report;
use quorate_audit::deployment::Deployment;
use quorate_audit::restore::Restore;
use quorate_store::invariant::{Finding, Invariant, Level};
use serde_json::json;

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View, progress};
use crate::plane;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Put right what can be put right without deciding anything for you.
    #[arg(long)]
    repair: bool,
}

/// Every invariant there is.
pub(crate) fn invariants() -> Vec<&'static dyn Invariant> {
    let own: [&dyn Invariant; 2] = [&Deployment, &Restore];
    own.into_iter().chain(quorate_plane::invariants()).collect()
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let scope = plane::connect(global).await?;
    let bar = progress("keys");
    let report =
        quorate_audit::run(&scope, &invariants(), args.repair, &|done, total| bar.set(done, total)).await?;
    bar.finish();
    let exit = if report.is_clean() { 0 } else { Exit::Fault as u8 };
    Ok(Answer { exit, ..Answer::new(json!(report), View::Text(text(&report))) })
}

pub(crate) fn text(report: &Report) -> String {
    let mut lines: Vec<String> = report.findings.iter().map(|finding| line("finding", finding)).collect();
    lines.extend(report.information.iter().map(|finding| line("information", finding)));
    lines.extend(report.not_listed.iter().map(|(code, count)| format!("{code}: {count} more")));
    lines.extend(
        report
            .unchecked
            .iter()
            .map(|code| format!("{code} was not checked: a key it reads is of another kind")),
    );
    lines.push(format!(
        "{} keys of {} families, {} findings, {} repaired, {} for information",
        report.keys,
        report.families.len(),
        report.total(Level::Finding),
        report.repaired,
        report.total(Level::Information),
    ));
    lines.iter().map(|line| quorate_catalog::text::harmless(line)).collect::<Vec<_>>().join("\n")
}

fn line(level: &str, finding: &Finding) -> String {
    let advice = finding.advice.as_ref().map(|advice| format!(" ({advice})")).unwrap_or_default();
    format!("{level} {}: {} {}{advice}", finding.code, finding.key, finding.message)
}
