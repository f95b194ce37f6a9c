//! `quorate queues push QUEUE PAYLOAD`.

use std::time::Duration;

use quorate_catalog::ids::WordId;
use quorate_plane::Plane;
use quorate_plane::queues::{Push, Queue};
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal};

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

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let push = Push {
        key: args.key.clone(),
        group: args.group.clone(),
        needs: args.needs.clone(),
        delay: args.delay,
        max_attempts: args.max_attempts,
        max_depth: args.max_depth,
        ..Push::new(&args.payload)
    };
    let outcome = plane.queues().once().push(&args.queue, &push).await?;
    Ok(refusal::or(outcome, |pushed| {
        let word = if pushed.known { "known" } else { "pushed" };
        let json = json!({ "outcome": word, "id": pushed.id, "queue": args.queue.name() });
        Answer::new(json, View::Text(format!("{word} {}", pushed.id)))
    }))
}
