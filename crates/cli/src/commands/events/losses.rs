//! `quorate events losses`.

use quorate_plane::Plane;
use serde_json::json;

use super::entries;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Each loss by itself, newest first, instead of what each group lost in all.
    #[arg(long)]
    log: bool,
    /// Most entries of the log.
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    if args.log {
        return Ok(entries(&plane.events().ledger(args.limit.into()).await?));
    }
    let losses = plane.events().losses().await?;
    let rows = losses.iter().map(|loss| {
        vec![
            loss.stream.clone(),
            loss.group.clone(),
            loss.unread.to_string(),
            loss.pending.to_string(),
            if loss.exact { "exact" } else { "bound" }.to_owned(),
            loss.cause.clone(),
            loss.last_at.iso(),
        ]
    });
    let json: Vec<_> = losses
        .iter()
        .map(|loss| {
            json!({ "stream": loss.stream, "group": loss.group, "unread": loss.unread, "pending": loss.pending,
                "exact": loss.exact, "cause": loss.cause, "first_at": loss.first_at.iso(), "last_at": loss.last_at.iso() })
        })
        .collect();
    let header = &["stream", "group", "unread", "pending", "count", "cause", "last"];
    Ok(Answer::new(json!(json), View::Rows { header, rows: rows.collect() }))
}
