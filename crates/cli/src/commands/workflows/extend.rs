//! `quorate workflows extend TASK STAGE --attempt ATTEMPT`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_verbs::said::{Said, Ttl};
use quorate_verbs::workflows::Extend;

use super::Held;
use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    held: Held,
    /// How long from now [default: the stage's timeout, or 60s].
    #[arg(long, value_parser = duration::ttl)]
    lease: Option<Duration>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Extend {
        task: Said(args.held.place.task),
        stage: Said(args.held.place.stage),
        attempt: Said(args.held.attempt),
        lease: args.lease.map(Ttl),
    };
    ask(plane, &verb, |done| View::Text(format!("attempt {} until {}", done.attempt, done.until))).await
}
