//! `quorate queues push QUEUE PAYLOAD`.

use std::time::Duration;

use quorate_catalog::ids::WordId;
use quorate_plane::Plane;
use quorate_plane::queues::Queue;
use quorate_verbs::queues::Push;
use quorate_verbs::said::{Said, Span, Within};

use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// high, normal, low or job:NAME.
    #[arg(value_name = "QUEUE")]
    queue: Queue,
    /// Any text; a worker gets it as it is.
    #[arg(value_name = "PAYLOAD", allow_hyphen_values = true)]
    payload: String,
    /// A second push with the same key gives the same item; it is remembered for a week.
    #[arg(long, value_name = "K")]
    key: Option<String>,
    /// Items of one group are done one after the other, in their order.
    #[arg(long, value_name = "G")]
    group: Option<String>,
    /// Only an agent with this capability may claim it; may be repeated.
    #[arg(long = "needs", value_name = "CAPABILITY")]
    needs: Vec<WordId>,
    /// How long until it may be claimed, as in 5s.
    #[arg(long, value_parser = duration::parse, default_value = "0s", hide_default_value = true)]
    delay: Duration,
    /// How often it is tried before it goes to the dead letters [default: the deployment's, 5].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    max_attempts: Option<u32>,
    /// Refuse it if so many items already wait.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    max_depth: Option<u64>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Push {
        queue: Said(args.queue),
        payload: args.payload,
        key: args.key,
        group: args.group,
        needs: args.needs.into_iter().map(Said).collect(),
        delay: Some(Span(args.delay)),
        max_attempts: args.max_attempts.map(|most| Within(most.into())),
        max_depth: args.max_depth.map(Within),
    };
    ask(plane, &verb, |pushed| View::Text(format!("{} {}", pushed.outcome, pushed.id))).await
}
