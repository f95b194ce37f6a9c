//! `quorate audit verify`.

use quorate_plane::Plane;
use quorate_plane::trail::{Anchor, Verified};
use quorate_verbs::audit::Verify;
use quorate_verbs::said::Said;

use crate::ask::ask;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A head that you noted elsewhere, as BATCH:HASH; the chain must still have it.
    #[arg(long, value_name = "HEAD")]
    anchor: Option<Anchor>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let mut faults = 0;
    let verb = Verify { anchor: args.anchor.clone().map(Said) };
    let answer = ask(plane, &verb, |whole| {
        faults = whole.found.faults;
        View::Text(text(&whole.found))
    })
    .await?;
    Ok(if faults == 0 { answer } else { Answer { exit: Exit::Fault as u8, ..answer } })
}

fn text(found: &Verified) -> String {
    let mut lines: Vec<String> =
        found.findings.iter().map(|fault| format!("{}: {}", fault.kind, fault.message)).collect();
    let more = found.faults.saturating_sub(found.findings.len() as u64);
    if more > 0 {
        lines.push(format!("{more} more"));
    }
    lines.push(format!(
        "{} records in {} batches, {} not sealed yet, {} findings",
        found.records, found.batches, found.unsealed, found.faults
    ));
    lines.extend(found.head.as_ref().map(|head| format!("head {head}")));
    lines.iter().map(|line| quorate_catalog::text::harmless(line)).collect::<Vec<_>>().join("\n")
}
