//! `quorate dead failed`, `dead failure ID`: relayna's dead letters as failed tasks.

use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_plane::dead_letters::FailedTask;
use quorate_verbs::dead::{Failed, Failure as One, Looked};
use quorate_verbs::said::{Said, Within};

use super::records;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only those that failed in this service.
    #[arg(long, value_name = "NAME")]
    service: Option<String>,
    /// Only those that came from this queue.
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// Only those that lie in this queue of dead letters.
    #[arg(long, value_name = "NAME")]
    dlq: Option<String>,
    /// Only those with exactly this type of error.
    #[arg(long, value_name = "TYPE")]
    error: Option<String>,
    /// Only those whose task stood there: DLQ, retry_exhausted, terminal_failed.
    #[arg(long)]
    status: Option<String>,
    /// Only those of this task.
    #[arg(long, value_name = "ID")]
    task: Option<TaskId>,
    /// Only those that failed with this worker.
    #[arg(long, value_name = "ID")]
    worker: Option<String>,
    /// Only those that nobody has looked into.
    #[arg(long, conflicts_with = "investigated")]
    unreviewed: bool,
    /// Only those that somebody has looked into.
    #[arg(long)]
    investigated: bool,
    /// Only those that failed at this moment or later, in ISO 8601.
    #[arg(long, value_name = "MOMENT")]
    from: Option<String>,
    /// Only those that failed at this moment or earlier, in ISO 8601.
    #[arg(long, value_name = "MOMENT")]
    to: Option<String>,
    /// Where the last page ended.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
    /// Most to list.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,
}

pub(crate) async fn list(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let looked = match (args.unreviewed, args.investigated) {
        (true, _) => Some(Looked::Unreviewed),
        (_, true) => Some(Looked::Investigated),
        _ => None,
    };
    let verb = Failed {
        service_name: args.service,
        queue_name: args.queue,
        dlq_name: args.dlq,
        error_type: args.error,
        status: args.status,
        task_id: args.task.map(Said),
        worker_id: args.worker,
        investigation_status: looked,
        failed_from: args.from,
        failed_to: args.to,
        cursor: args.cursor,
        limit: Some(Within(args.limit.into())),
    };
    let header = &["id", "task", "queue", "status", "failed", "error", "review", "retry"];
    ask(plane, &verb, |page| View::Rows { header, rows: page.items.iter().map(row).collect() }).await
}

fn row(task: &FailedTask) -> Vec<String> {
    vec![
        task.failure_id.clone(),
        task.task_id.clone().unwrap_or_default(),
        task.queue_name.clone(),
        task.status.clone(),
        task.failed_at.clone(),
        task.error_type.clone().or_else(|| task.error_message.clone()).unwrap_or_default(),
        task.investigation_status.clone(),
        task.retry_status.clone(),
    ]
}

pub(crate) async fn show(plane: &Plane, one: records::One) -> Result<Answer, Failure> {
    ask(plane, &One { failure_id: Said(one.id) }, |task| View::Text(format!("{:#}", serde_json::json!(task))))
        .await
}
