//! `quorate queues nack TOKEN --agent ID`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::queues::{Nack, Nacked};
use serde_json::json;

use super::{Claimed, stale};
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    claimed: Claimed,
    /// What went wrong.
    #[arg(long, alias = "reason", value_name = "TEXT", default_value = "", hide_default_value = true)]
    error: String,
    /// How long until it comes again [default: twice as long each time, from 1s to 5m].
    #[arg(long, value_parser = duration::parse)]
    delay: Option<Duration>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let why = Nack { error: args.error.clone(), delay: args.delay };
    let outcome = plane
        .queues()
        .once()
        .nack(&args.claimed.actor.agent, args.claimed.actor.epoch, &args.claimed.token, &why)
        .await?;
    let token = args.claimed.token.to_string();
    Ok(refusal::or(outcome, |nacked| match nacked {
        Nacked::Retry(due) => {
            let json = json!({ "outcome": "retry", "token": token, "due": due.iso() });
            Answer::new(json, View::Text(format!("it comes again at {}", due.iso())))
        }
        Nacked::Dead(letter) => {
            let json = json!({ "outcome": "dead", "token": token, "letter": letter });
            Answer::new(json, View::Text(format!("that was the last attempt; dead letter {letter}")))
        }
        Nacked::Stale => stale(&args.claimed.token),
    }))
}
