//! `quorate events nack STREAM ID… --group G --consumer C`.

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use quorate_verbs::events::Nack;
use quorate_verbs::said::Said;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which stream.
    stream: Stream,
    /// What was read and is not taken.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The group.
    #[arg(long, short)]
    group: String,
    /// With whom it is.
    #[arg(long, short)]
    consumer: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Nack {
        stream: Said(args.stream),
        ids: args.ids.clone(),
        group: args.group.clone(),
        consumer: args.consumer.clone(),
    };
    ask(plane, &verb, |done| View::Text(format!("{} given back", done.nacked))).await
}
