//! `quorate workflows fail TASK STAGE --attempt ATTEMPT`.

use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::workflows::Fail;

use super::Held;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    held: Held,
    /// Why it failed.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    error: String,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Fail {
        task: Said(args.held.place.task),
        stage: Said(args.held.place.stage),
        attempt: Said(args.held.attempt),
        error: args.error,
    };
    ask(plane, &verb, |failed| {
        let again = failed.retry_at.as_ref().map(|at| format!("it may be tried again from {at} on"));
        View::Text(again.unwrap_or_else(|| format!("given up, the run is {}", failed.state)))
    })
    .await
}
