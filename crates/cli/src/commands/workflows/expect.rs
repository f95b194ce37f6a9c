//! `quorate workflows expect TASK STAGE BRANCH…`.

use quorate_catalog::ids::StageId;
use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::workflows::Expect;

use super::{Place, arrive};
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Place,
    /// The branches.
    #[arg(required = true, value_name = "BRANCH")]
    branches: Vec<StageId>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Expect {
        task: Said(args.place.task),
        stage: Said(args.place.stage),
        branches: args.branches.into_iter().map(Said).collect(),
    };
    ask(plane, &verb, arrive::told).await
}
