//! `quorate audit ls`.

use quorate_plane::Plane;
use quorate_plane::trail::{Entry, Filter};
use quorate_store::Micros;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View, talk};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what this one did.
    #[arg(long)]
    who: Option<String>,
    /// Only this: NOUN.VERB, or a NOUN for all of its verbs.
    #[arg(long)]
    action: Option<String>,
    /// Only what was done to this.
    #[arg(long)]
    target: Option<String>,
    /// Only from then on: ISO 8601 with a zone.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Micros>,
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// Go on where an earlier list ended.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

fn moment(text: &str) -> Result<Micros, String> {
    Micros::parse_iso(text).ok_or_else(|| "use ISO 8601 with a zone, like 2026-12-01T08:00:00Z".to_owned())
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let filter = Filter {
        who: args.who.clone(),
        action: args.action.clone(),
        target: args.target.clone(),
        since: args.since,
        limit: args.limit as usize,
        cursor: args.cursor.clone(),
    };
    let page = plane.trail().ls(&filter).await?;
    if let Some(cursor) = &page.cursor {
        talk(&format!("there may be more: --cursor {cursor}"));
    }
    let rows = page.records.iter().map(row).collect();
    let header = &["at", "who", "via", "action", "target", "result"];
    Ok(Answer::new(json!(page.records), View::Rows { header, rows }))
}

fn row(entry: &Entry) -> Vec<String> {
    [&entry.at, &entry.who, &entry.via, &entry.action, &entry.target, &entry.result]
        .map(String::clone)
        .to_vec()
}
