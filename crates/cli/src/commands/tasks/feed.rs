//! `quorate tasks feed`.

use quorate_plane::Plane;
use quorate_plane::tasks::{Event, FeedPage};
use quorate_verbs::said::Within;
use quorate_verbs::tasks::Feed;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View, talk};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what is older than the event with this cursor.
    #[arg(long, value_name = "CURSOR", conflicts_with = "since")]
    after: Option<String>,
    /// Only what is newer than the event with this cursor, oldest first.
    #[arg(long, value_name = "CURSOR")]
    since: Option<String>,
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=500))]
    limit: u64,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Feed { after: args.after, since: args.since, limit: Some(Within(args.limit)) };
    ask(plane, &verb, view).await
}

fn view(page: &FeedPage) -> View {
    if let Some(gap) = &page.gap {
        let lost = gap.lost.map(|lost| format!(", {lost} events are lost")).unwrap_or_default();
        talk(&format!("gap: the cursor {} is {}{lost}", gap.from, gap.reason));
    }
    View::Rows { header: &["cursor", "at", "task", "event"], rows: page.items.iter().map(row).collect() }
}

fn row(event: &Event) -> Vec<String> {
    let text = |name: &str| event.text(name).unwrap_or("-").chars().take(80).collect::<String>();
    vec![text("cursor"), text("timestamp"), text("task_id"), text("event_type")]
}
