//! `quorate metrics incr NAME`.

use quorate_catalog::ids::MetricId;
use quorate_plane::Plane;
use quorate_verbs::metrics::Incr;
use quorate_verbs::said::Said;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The counter.
    name: MetricId,
    /// By how much.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    by: i64,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Incr { counter: Said(args.name.clone()), by: Some(args.by) };
    ask(plane, &verb, |raised| View::Text(raised.value.to_string())).await
}
