//! `quorate notices set`.

use quorate_plane::Plane;
use quorate_verbs::notices::Set;
use quorate_verbs::said::Within;

use super::show::text;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whether anybody is told.
    #[arg(long, value_name = "true|false")]
    enabled: Option<bool>,
    /// How long failures are gathered after the first one, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=604_800))]
    wait: Option<u64>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Set { enabled: args.enabled, batch_wait_seconds: args.wait.map(Within) };
    ask(plane, &verb, |state| View::Text(text(state))).await
}
