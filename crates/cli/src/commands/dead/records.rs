//! `quorate dead records`, `dead record ID`, `dead sums`: relayna's dead letters, read.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Plane;
use quorate_plane::dead_letters::{QueueSum, Record};
use quorate_verbs::dead::{Detail, RecordOne, RecordState, Records, Sums};
use quorate_verbs::said::{Said, Within};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only those of this queue.
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// Only those of this task.
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Only those with exactly this reason.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Only those that came from this queue.
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// dead_lettered or replayed.
    #[arg(long, value_parser = state)]
    state: Option<RecordState>,
    /// Only those that nobody has looked into.
    #[arg(long)]
    unreviewed: bool,
    /// Where the last page ended.
    #[arg(long)]
    cursor: Option<String>,
    /// Most to list.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,
}

/// Which record.
#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// The dead letter.
    #[arg(value_name = "ID")]
    pub(super) id: DeadLetterId,
}

fn state(text: &str) -> Result<RecordState, String> {
    serde_json::from_value(text.into()).map_err(|_| "use dead_lettered or replayed".to_owned())
}

pub(crate) async fn list(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Records {
        queue_name: args.queue,
        task_id: args.task,
        reason: args.reason,
        source_queue_name: args.source,
        state: args.state,
        investigated: args.unreviewed.then_some(false),
        cursor: args.cursor,
        limit: Some(Within(args.limit.into())),
    };
    let header = &["id", "queue", "task", "attempt", "state", "died", "reason"];
    ask(plane, &verb, |page| View::Rows { header, rows: page.items.iter().map(row).collect() }).await
}

fn row(record: &Record) -> Vec<String> {
    vec![
        record.dlq_id.clone(),
        record.queue_name.clone(),
        record.task_id.clone().unwrap_or_else(|| "-".to_owned()),
        format!("{}/{}", record.retry_attempt, record.max_retries),
        record.state.clone(),
        record.dead_lettered_at.clone(),
        record.reason.chars().take(80).collect(),
    ]
}

pub(crate) async fn show(plane: &Plane, one: One) -> Result<Answer, Failure> {
    ask(plane, &RecordOne { dlq_id: Said(one.id) }, |detail| View::Text(text(detail))).await
}

fn text(Detail { record, latest_status, .. }: &Detail) -> String {
    let mut lines = vec![
        format!("{} from {}, {}", record.dlq_id, record.queue_name, record.state),
        format!(
            "died {} at attempt {} of {}",
            record.dead_lettered_at, record.retry_attempt, record.max_retries
        ),
        format!("reason: {}", record.reason),
        format!("a replay goes to {}", record.retry_queue_name),
    ];
    lines.extend(record.task_id.iter().map(|task| format!("task: {task}")));
    lines.extend(latest_status.iter().map(|status| format!("its task: {status}")));
    lines.extend(record.review.iter().map(|review| {
        format!("{} by {}: {}", review.state, review.by, review.note.as_deref().unwrap_or("no note"))
    }));
    lines.extend(record.replays.iter().map(|replay| format!("replayed {replay}")));
    lines.push(format!("body: {}", record.body));
    lines.iter().map(|line| quorate_catalog::text::harmless(line)).collect::<Vec<_>>().join("\n")
}

pub(crate) async fn sums(plane: &Plane) -> Result<Answer, Failure> {
    let header = &["queue", "letters", "last", "waiting"];
    let row = |sum: &QueueSum| {
        vec![
            sum.queue_name.clone(),
            sum.indexed_count.to_string(),
            sum.last_indexed_at.clone().unwrap_or_default(),
            sum.message_count.unwrap_or_default().to_string(),
        ]
    };
    ask(plane, &Sums {}, |all| View::Rows { header, rows: all.queues.iter().map(row).collect() }).await
}
