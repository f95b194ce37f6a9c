//! `quorate queues claim QUEUE… --agent ID`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::queues::Queue;
use quorate_verbs::queues::{Claim, Item};
use quorate_verbs::said::{Said, Span, Ttl, Within};

use crate::ask::ask;
use crate::commands::locks::Actor;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// high, normal, low or job:NAME; of several, the most urgent comes first.
    #[arg(required = true, value_name = "QUEUE")]
    queues: Vec<Queue>,
    #[command(flatten)]
    actor: Actor,
    /// How long you have for the items.
    #[arg(long, value_parser = duration::ttl, default_value = "10s")]
    lease: Duration,
    /// How long to wait for one.
    #[arg(long, value_parser = duration::parse, default_value = "0s", hide_default_value = true)]
    wait: Duration,
    /// Most items.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    max: u16,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let mut queues = args.queues.iter().cloned().map(Said);
    let first = queues.next().ok_or_else(|| Failure::bad_input("name a queue"))?;
    let actor = args.actor.verb();
    let verb = Claim {
        queue: first,
        queues: queues.collect(),
        agent: actor.agent,
        epoch: actor.epoch,
        lease: Some(Ttl(args.lease)),
        wait: Some(Span(args.wait)),
        max: Some(Within(args.max.into())),
        done: Vec::new(),
    };
    ask(plane, &verb, |claimed| {
        let row = |item: &Item| {
            vec![item.id.clone(), item.attempt.to_string(), item.token.clone(), item.payload.clone()]
        };
        match (claimed.items.is_empty(), claimed.paused) {
            (true, true) => View::Text("nothing: paused".into()),
            (true, false) => View::Text("nothing to do".into()),
            _ => View::Rows {
                header: &["id", "attempt", "token", "payload"],
                rows: claimed.items.iter().map(row).collect(),
            },
        }
    })
    .await
}
