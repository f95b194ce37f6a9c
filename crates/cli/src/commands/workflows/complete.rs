//! `quorate workflows complete TASK STAGE --attempt ATTEMPT`.

use quorate_catalog::ids::StageId;
use quorate_plane::Plane;
use quorate_verbs::said::{Json, Said};
use quorate_verbs::workflows::{Complete, Next};

use super::Held;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    held: Held,
    /// What came out, in JSON.
    #[arg(long, value_name = "JSON")]
    result: Option<String>,
    /// Where the run goes: a stage, STAGE=BRANCH for a branch of another name, or a JSON object with `stage`, `branch`, `action`
    /// and `payload` [default: every stage that may follow].
    #[arg(long, value_name = "STAGE", value_parser = next)]
    next: Vec<Next>,
}

fn next(text: &str) -> Result<Next, String> {
    if text.starts_with('{') {
        return serde_json::from_str(text).map_err(|error| error.to_string());
    }
    let (stage, branch) = text.split_once('=').map_or((text, None), |(stage, branch)| (stage, Some(branch)));
    let name = |text: &str| StageId::parse(text).map(Said).map_err(|bad| bad.to_string());
    Ok(Next { stage: name(stage)?, action: None, payload: None, branch: branch.map(name).transpose()? })
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Complete {
        task: Said(args.held.place.task),
        stage: Said(args.held.place.stage),
        attempt: Said(args.held.attempt),
        result: args.result.map(Json),
        next: args.next,
    };
    ask(plane, &verb, |done| {
        let said: Vec<String> =
            done.next.iter().map(|one| format!("{} {}", one.stage, one.outcome)).collect();
        let said = if said.is_empty() { String::new() } else { format!("; {}", said.join(", ")) };
        View::Text(format!("completed, the run is {}{said}", done.state))
    })
    .await
}
