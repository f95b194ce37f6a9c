//! `quorate observations read --group G --consumer C`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_verbs::observations::Read;
use quorate_verbs::said::{Span, Within};

use crate::args::Format;
use crate::commands::events::batch;
use crate::duration;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The group.
    #[arg(long, short, default_value = "consolidator")]
    group: String,
    /// Who reads.
    #[arg(long, short, env = "QUORATE_AGENT")]
    consumer: String,
    /// Most observations at once.
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    count: u32,
    /// How long to wait if there is nothing.
    #[arg(long, default_value = "0s", value_parser = duration::parse)]
    wait: Duration,
}

pub(crate) async fn run(plane: &Plane, args: &Args, format: Format) -> Result<Answer, Failure> {
    let verb = Read {
        group: Some(args.group.clone()),
        consumer: args.consumer.clone(),
        count: Some(Within(args.count.into())),
        wait: Some(Span(args.wait)),
    };
    batch(plane, &verb, format).await
}
