//! `quorate workflows arrive TASK STAGE BRANCH`.

use quorate_catalog::ids::StageId;
use quorate_plane::Plane;
use quorate_verbs::said::{Json, Said};
use quorate_verbs::workflows::{Arrive, Arrived};

use super::Place;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Place,
    /// The branch.
    branch: StageId,
    /// What it brings, in JSON.
    #[arg(long, value_name = "JSON")]
    result: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Arrive {
        task: Said(args.place.task),
        stage: Said(args.place.stage),
        branch: Said(args.branch),
        result: args.result.map(Json),
    };
    ask(plane, &verb, told).await
}

pub(super) fn told(said: &Arrived) -> View {
    let expected = said.expected.map_or_else(|| "an unknown number".to_owned(), |count| count.to_string());
    View::Text(format!(
        "{}: {} of {expected} have come, the run is {}",
        said.outcome, said.arrived, said.state
    ))
}
