//! `quorate events ack STREAM ID… --group G`.

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use quorate_verbs::events::Ack;
use quorate_verbs::said::Said;

use super::acked;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which stream.
    stream: Stream,
    /// What was read; a gap by its id.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The group.
    #[arg(long, short)]
    group: String,
    /// Acknowledge only what is still with this consumer.
    #[arg(long, short)]
    consumer: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Ack {
        stream: Said(args.stream),
        ids: args.ids.clone(),
        group: args.group.clone(),
        consumer: args.consumer.clone(),
    };
    ask(plane, &verb, acked).await
}
