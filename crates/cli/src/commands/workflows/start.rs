//! `quorate workflows start NAME TASK`.

use quorate_catalog::ids::{TaskId, WorkflowId};
use quorate_plane::Plane;
use quorate_verbs::said::{Json, Said};
use quorate_verbs::workflows::Start;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The workflow.
    workflow: WorkflowId,
    /// The task; it has one run.
    task: TaskId,
    /// What it is about, in JSON.
    #[arg(long, value_name = "JSON")]
    payload: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb =
        Start { workflow: Said(args.workflow), task: Said(args.task), payload: args.payload.map(Json) };
    ask(plane, &verb, |done| {
        View::Text(format!("{} runs {} version {}", done.task, done.workflow, done.version))
    })
    .await
}
