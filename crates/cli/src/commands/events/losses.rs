//! `quorate events losses`.

use quorate_plane::Plane;
use quorate_verbs::events::{Loss, LossLog, Losses};
use quorate_verbs::said::Within;

use super::table;
use crate::ask::ask;
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
        return ask(plane, &LossLog { limit: Some(Within(args.limit.into())) }, |all| table(all)).await;
    }
    let header = &["stream", "group", "unread", "pending", "count", "cause", "last"];
    ask(plane, &Losses {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}

fn row(loss: &Loss) -> Vec<String> {
    vec![
        loss.stream.clone(),
        loss.group.clone(),
        loss.unread.to_string(),
        loss.pending.to_string(),
        if loss.exact { "exact" } else { "bound" }.to_owned(),
        loss.cause.clone(),
        loss.last_at.clone(),
    ]
}
