//! `quorate queues claim QUEUE… --agent ID`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::queues::{Claim, Queue};
use serde_json::{Value, json};

use super::item;
use crate::commands::locks::Actor;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal};

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
    let wanted = Claim {
        queues: args.queues.clone(),
        agent: args.actor.agent.clone(),
        epoch: args.actor.epoch,
        lease: args.lease,
        wait: args.wait,
        most: usize::from(args.max),
    };
    let outcome = plane.queues().claim(&wanted).await?;
    Ok(refusal::or(outcome, |claimed| {
        let items: Vec<Value> = claimed.items.iter().map(item).collect();
        let word = if items.is_empty() { "empty" } else { "claimed" };
        let mut json = json!({ "outcome": word, "items": items });
        if claimed.paused {
            json["paused"] = true.into();
        }
        let rows = claimed.items.iter();
        let rows: Vec<Vec<String>> = rows
            .map(|item| vec![item.id.clone(), item.attempt.to_string(), item.token.to_string(), item.text()])
            .collect();
        let view = match (rows.is_empty(), claimed.paused) {
            (true, true) => View::Text("nothing: paused".into()),
            (true, false) => View::Text("nothing to do".into()),
            _ => View::Rows { header: &["id", "attempt", "token", "payload"], rows },
        };
        Answer::new(json, view)
    }))
}
