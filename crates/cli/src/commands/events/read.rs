//! `quorate events read STREAM --group G --consumer C`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::events::{Read, Start, Stream};

use super::batch;
use crate::args::Format;
use crate::failure::Failure;
use crate::out::Answer;
use crate::{duration, refusal};

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
    let wanted = Read {
        start: args.start.clone(),
        count: args.count,
        idle: args.idle,
        wait: args.wait,
        ..Read::new(args.stream, &args.group, &args.consumer)
    };
    let outcome = plane.events().read(&wanted).await?;
    Ok(refusal::or(outcome, |read| batch(&read, format)))
}
