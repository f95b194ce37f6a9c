//! `quorate events read STREAM --group G --consumer C`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::events::{Start, Stream};
use quorate_verbs::events::Read;
use quorate_verbs::said::{Said, Span, Within};

use super::batch;
use crate::args::Format;
use crate::duration;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which stream.
    stream: Stream,
    /// The group; it exists from its first consumer on.
    #[arg(long, short)]
    group: String,
    /// Who reads.
    #[arg(long, short, env = "QUORATE_AGENT")]
    consumer: String,
    /// Where a new group starts: 0 for everything, $ for what comes, or after an entry.
    #[arg(long, default_value = "0", value_name = "ID")]
    start: Start,
    /// Most entries at once.
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    count: u32,
    /// How long an entry may be with a consumer that does not acknowledge it, before it goes to another.
    #[arg(long, default_value = "30s", value_parser = duration::parse)]
    idle: Duration,
    /// How long to wait if there is nothing.
    #[arg(long, default_value = "0s", value_parser = duration::parse)]
    wait: Duration,
}

pub(crate) async fn run(plane: &Plane, args: &Args, format: Format) -> Result<Answer, Failure> {
    let verb = Read {
        stream: Said(args.stream),
        group: args.group.clone(),
        consumer: args.consumer.clone(),
        start: Some(Said(args.start.clone())),
        count: Some(Within(args.count.into())),
        idle: Some(Span(args.idle)),
        wait: Some(Span(args.wait)),
    };
    batch(plane, &verb, format).await
}
