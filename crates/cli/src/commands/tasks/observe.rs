//! `quorate tasks observe TASK EVENT_TYPE`.

use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_plane::json::Object;
use quorate_verbs::said::{Blob, Said};
use quorate_verbs::tasks::Observe;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task.
    task: TaskId,
    /// What was seen, such as TaskMessageReceived.
    event_type: String,
    /// Which part of the runtime saw it.
    #[arg(long, value_name = "NAME")]
    component: Option<String>,
    /// When, in ISO 8601 [default: now].
    #[arg(long, value_name = "MOMENT")]
    timestamp: Option<String>,
    /// What the task belongs to.
    #[arg(long, value_name = "ID")]
    correlation_id: Option<String>,
    /// Its parent, if it has one.
    #[arg(long, value_name = "TASK")]
    parent: Option<TaskId>,
    /// The observation itself, if it has an id.
    #[arg(long, value_name = "ID")]
    event_id: Option<String>,
    /// Further fields, as a JSON object.
    #[arg(long, value_name = "JSON", value_parser = Object::parse)]
    fields: Option<Object>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Observe {
        task_id: Said(args.task),
        event_type: args.event_type,
        component: args.component,
        timestamp: args.timestamp,
        correlation_id: args.correlation_id,
        parent_task_id: args.parent.map(Said),
        event_id: args.event_id,
        fields: args.fields.map(Blob),
    };
    ask(plane, &verb, |done| View::Text(done.outcome.to_owned())).await
}
