//! `quorate queues ack TOKEN --agent ID`.

use quorate_plane::Plane;
use quorate_plane::queues::Token;

use super::{done, stale};
use crate::commands::locks::Actor;
use crate::failure::Failure;
use crate::out::Answer;
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The token that the claim gave.
    #[arg(value_name = "TOKEN")]
    token: Token,
    #[command(flatten)]
    actor: Actor,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let tokens = [args.token.clone()];
    let outcome = plane.queues().once().ack(&args.actor.agent, args.actor.epoch, &tokens).await?;
    Ok(refusal::or(
        outcome,
        |late| if late.is_empty() { done("acked", &args.token) } else { stale(&args.token) },
    ))
}
