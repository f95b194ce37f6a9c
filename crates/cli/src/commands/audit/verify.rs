//! `quorate audit verify`.

use quorate_plane::Plane;
use quorate_plane::trail::{Anchor, Verified};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A head that you noted elsewhere, as BATCH:HASH; the chain must still have it.
    #[arg(long, value_name = "HEAD")]
    anchor: Option<Anchor>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let found = match &args.anchor {
        Some(anchor) => plane.trail().verify_against(anchor).await?,
        None => plane.trail().verify().await?,
    };
    let exit = if found.faults == 0 { 0 } else { Exit::Fault as u8 };
    let mut json = json!(found);
    json["outcome"] = if found.faults == 0 { "verified" } else { "changed" }.into();
    json["anchor"] = found.head.as_ref().map(ToString::to_string).into();
    Ok(Answer { exit, ..Answer::new(json, View::Text(text(&found))) })
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
