//! `quorate tasks search`.

use quorate_plane::Plane;
use quorate_plane::search::TaskDocument;
use quorate_verbs::said::Within;
use quorate_verbs::tasks::Search;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Of this service.
    #[arg(long)]
    service: Option<String>,
    /// With this id, in whatever service.
    #[arg(long)]
    task: Option<String>,
    /// That belong to this.
    #[arg(long)]
    correlation: Option<String>,
    /// Whose newest event says this status.
    #[arg(long)]
    status: Option<String>,
    /// Whose newest event says this stage.
    #[arg(long)]
    stage: Option<String>,
    /// Of services of this environment.
    #[arg(long)]
    environment: Option<String>,
    /// Last seen then or later, in ISO 8601.
    #[arg(long)]
    from: Option<String>,
    /// Last seen then or earlier.
    #[arg(long)]
    to: Option<String>,
    /// Where to go on: next_cursor of the page before.
    #[arg(long)]
    cursor: Option<String>,
    /// Most of a page.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=200))]
    limit: u64,
    #[command(flatten)]
    outgoing: Outgoing,
}

pub(crate) async fn run(plane: Plane, args: Args) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let header = &["task", "service", "status", "stage", "last seen", "correlation"];
    let verb = Search {
        service_id: args.service,
        task_id: args.task,
        correlation_id: args.correlation,
        status: args.status,
        stage: args.stage,
        environment: args.environment,
        from: args.from,
        to: args.to,
        cursor: args.cursor,
        limit: Some(Within(args.limit)),
    };
    ask(&plane, &verb, |page| View::Rows { header, rows: page.items.iter().map(row).collect() }).await
}

fn row(task: &TaskDocument) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    vec![
        task.task_id.clone(),
        task.service_id.clone(),
        text(&task.status),
        text(&task.stage),
        text(&task.last_seen_at),
        text(&task.correlation_id),
    ]
}
