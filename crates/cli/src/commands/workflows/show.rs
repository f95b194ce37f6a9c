//! `quorate workflows show NAME`.

use quorate_catalog::ids::WorkflowId;
use quorate_plane::Plane;
use quorate_plane::workflows::Stage;
use quorate_verbs::said::{Said, Within};
use quorate_verbs::workflows::Show;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The workflow.
    id: WorkflowId,
    /// Which version [default: the current one].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    revision: Option<u16>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let header = &["stage", "next", "join", "owner", "queue", "retries"];
    let verb = Show { workflow: Said(args.id), version: args.revision.map(|number| Within(number.into())) };
    ask(plane, &verb, |shown| View::Rows { header, rows: shown.topology.stages.iter().map(row).collect() })
        .await
}

fn row(stage: &Stage) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let join = stage.join.as_ref().map(|join| match join.at_least {
        Some(need) => format!("{} of {}", need, join.branches.len()),
        None => join.rule.as_str().to_owned(),
    });
    vec![
        stage.name.clone(),
        if stage.terminal { "(end)".to_owned() } else { stage.allowed_next_stages.join(", ") },
        text(&join),
        text(&stage.owner),
        text(&stage.queue),
        stage.max_retries.to_string(),
    ]
}
