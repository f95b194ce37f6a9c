//! `quorate dedupe check SCOPE CONTENT`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_verbs::dedupe::Check;
use quorate_verbs::said::Span;

use super::What;
use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    what: What,
    /// For how long it counts as seen; a scope has one window.
    #[arg(long, value_parser = duration::parse, default_value = "24h")]
    window: Duration,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Check { what: args.what.verb(), window: Some(Span(args.window)) };
    ask(plane, &verb, |seen| View::Text(seen.outcome.to_owned())).await
}
