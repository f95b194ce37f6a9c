//! `quorate observations revive ID`.

use quorate_plane::Plane;
use quorate_verbs::observations::Revive;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The dead observation.
    id: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Revive { id: args.id.clone() };
    ask(plane, &verb, |done| View::Text(format!("pending again as {}", done.id))).await
}
