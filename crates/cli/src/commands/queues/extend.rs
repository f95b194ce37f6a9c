//! `quorate queues extend TOKEN --agent ID`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::queues::Token;
use serde_json::json;

use super::stale;
use crate::commands::locks::Actor;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The token that the claim gave.
    #[arg(value_name = "TOKEN")]
    token: Token,
    #[command(flatten)]
    actor: Actor,
    /// How long you have from now.
    #[arg(long, value_parser = duration::ttl, default_value = "10s")]
    lease: Duration,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let tokens = [args.token.clone()];
    let outcome = plane.queues().extend(&args.actor.agent, args.actor.epoch, &tokens, args.lease).await?;
    Ok(refusal::or(outcome, |(late, till)| {
        if !late.is_empty() {
            return stale(&args.token);
        }
        let json =
            json!({ "outcome": "extended", "token": args.token.to_string(), "lease_until": till.iso() });
        Answer::new(json, View::Text(format!("yours until {}", till.iso())))
    }))
}
