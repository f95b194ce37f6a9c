//! `quorate messages inboxes`.

use quorate_plane::Plane;
use quorate_plane::messages::Count;
use quorate_verbs::messages::Inboxes;
use quorate_verbs::said::Within;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only those in which something waits.
    #[arg(long)]
    waiting: bool,
    /// Most inboxes to list.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    limit: u16,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Inboxes { waiting: args.waiting, limit: Some(Within(args.limit.into())) };
    let row = |one: &Count| vec![one.agent.clone(), one.waiting.to_string(), one.unread.to_string()];
    let header = &["agent", "waiting", "unread"];
    ask(plane, &verb, |counted| View::Rows { header, rows: counted.inboxes.iter().map(row).collect() }).await
}
