//! `quorate queues extend TOKEN --agent ID`.

use std::time::Duration;

use quorate_plane::Plane;
use serde_json::json;

use super::{Claimed, stale};
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    claimed: Claimed,
    /// How long you have from now.
    #[arg(long, value_parser = duration::ttl, default_value = "10s")]
    lease: Duration,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let tokens = [args.claimed.token.clone()];
    let outcome = plane
        .queues()
        .extend(&args.claimed.actor.agent, args.claimed.actor.epoch, &tokens, args.lease)
        .await?;
    Ok(refusal::or(outcome, |(late, till)| {
        if !late.is_empty() {
            return stale(&args.claimed.token);
        }
        let json = json!({ "outcome": "extended", "token": args.claimed.token.to_string(), "lease_until": till.iso() });
        Answer::new(json, View::Text(format!("yours until {}", till.iso())))
    }))
}
