//! `quorate observations ack ID…`.

use quorate_plane::Plane;
use quorate_verbs::observations::Ack;

use crate::ask::ask;
use crate::commands::events::acked;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The observations.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The group.
    #[arg(long, short, default_value = "consolidator")]
    group: String,
    /// Acknowledge only what is still with this consumer.
    #[arg(long, short)]
    consumer: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb =
        Ack { ids: args.ids.clone(), group: Some(args.group.clone()), consumer: args.consumer.clone() };
    ask(plane, &verb, acked).await
}
