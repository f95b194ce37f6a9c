//! `quorate workflows runs`.

use quorate_catalog::ids::WorkflowId;
use quorate_plane::Plane;
use quorate_plane::workflows::Run;
use quorate_verbs::said::{Said, Within};
use quorate_verbs::workflows::{Runs, State};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// running, completed, failed or cancelled.
    #[arg(long, default_value = "running", value_parser = state)]
    state: State,
    /// Only those of this workflow.
    #[arg(long)]
    workflow: Option<WorkflowId>,
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

/// A state as it is typed.
fn state(text: &str) -> Result<State, String> {
    serde_json::from_value(text.into()).map_err(|_| "use running, completed, failed or cancelled".to_owned())
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let header = &["task", "workflow", "state", "began", "ended", "error"];
    let verb =
        Runs { state: args.state, workflow: args.workflow.map(Said), limit: Some(Within(args.limit.into())) };
    ask(plane, &verb, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}

fn row(run: &Run) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    vec![
        run.task.clone(),
        format!("{} {}", run.workflow, run.version),
        run.state.clone(),
        run.created_at.clone(),
        text(&run.ended_at),
        text(&run.error).chars().take(80).collect(),
    ]
}
