//! `quorate tasks ls`.

use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_plane::tasks::Task;
use quorate_verbs::said::{Said, Within};
use quorate_verbs::tasks::Ls;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only these.
    tasks: Vec<TaskId>,
    /// Where to go on: next_cursor of the page before.
    #[arg(long)]
    cursor: Option<String>,
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    limit: u64,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let header = &["task", "status", "events", "children", "at", "message"];
    let verb = Ls {
        task: args.tasks.into_iter().map(Said).collect(),
        cursor: args.cursor,
        limit: Some(Within(args.limit)),
    };
    ask(plane, &verb, |page| View::Rows { header, rows: page.tasks.iter().map(row).collect() }).await
}

pub(super) fn row(task: &Task) -> Vec<String> {
    let text = |value: Option<&str>| value.unwrap_or("-").chars().take(80).collect::<String>();
    vec![
        task.task_id.clone(),
        text(task.status.as_deref()),
        task.events.map_or_else(|| "-".to_owned(), |count| count.to_string()),
        task.children.to_string(),
        text(task.at.as_deref()),
        text(task.latest.as_ref().and_then(|event| event.text("message"))),
    ]
}
