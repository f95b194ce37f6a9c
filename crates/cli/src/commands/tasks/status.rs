//! `quorate tasks status TASK STATUS`.

use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_plane::json::Object;
use quorate_verbs::said::{Blob, Said};
use quorate_verbs::tasks::{Reported, Status};
use serde_json::Value;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task; any name, and the first report makes it known.
    task: TaskId,
    /// What became of it; completed and failed end it, in any case.
    status: String,
    /// A line for people.
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// Further values as a JSON object; parent_task_id makes the task a child, retry_attempt says which attempt reports.
    #[arg(long, value_name = "JSON", value_parser = Object::parse)]
    meta: Option<Object>,
    /// The task whose child it is.
    #[arg(long, value_name = "TASK")]
    parent: Option<TaskId>,
    /// What the task produced: JSON, or else a text.
    #[arg(long, value_name = "JSON")]
    result: Option<String>,
    /// What the task belongs to.
    #[arg(long, value_name = "ID")]
    correlation_id: Option<String>,
    /// The event itself: one that comes twice is taken once [default: its content, so a task that comes back to an earlier
    /// status needs one, or --timestamp].
    #[arg(long, value_name = "ID")]
    event_id: Option<String>,
    /// Which service reports.
    #[arg(long, value_name = "NAME")]
    service: Option<String>,
    /// When it happened, in ISO 8601 [default: now].
    #[arg(long, value_name = "MOMENT")]
    timestamp: Option<String>,
    /// Further fields of the event, as a JSON object.
    #[arg(long, value_name = "JSON", value_parser = Object::parse)]
    fields: Option<Object>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let result = args.result.map(|text| serde_json::from_str(&text).unwrap_or(Value::String(text)));
    let verb = Status {
        task_id: Said(args.task),
        status: args.status,
        message: args.message,
        meta: with_parent(args.meta, args.parent.as_ref()).map(Blob),
        result,
        correlation_id: args.correlation_id,
        event_id: args.event_id,
        service: args.service,
        timestamp: args.timestamp,
        fields: args.fields.map(Blob),
    };
    ask(plane, &verb, view).await
}

fn with_parent(meta: Option<Object>, parent: Option<&TaskId>) -> Option<Object> {
    let Some(parent) = parent else { return meta };
    let mut meta = meta.unwrap_or_default();
    meta.set_text("parent_task_id", parent.as_key());
    Some(meta)
}

fn view(reported: &Reported) -> View {
    if reported.outcome == "duplicate" {
        let known = reported.seq.map(|seq| format!(" of event {seq}")).unwrap_or_default();
        return View::Text(format!(
            "duplicate{known}, nothing changed (if it is another event, give it an --event-id)"
        ));
    }
    let seq = reported.seq.map(|seq| format!(" as event {seq}")).unwrap_or_default();
    let place = match reported.place.map(|place| serde_json::json!(place)) {
        Some(Value::String(word)) if word != "latest" => format!(", {}", word.replace('_', " ")),
        _ => String::new(),
    };
    View::Text(format!("{}{seq}{place}", reported.outcome))
}
