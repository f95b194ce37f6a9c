//! `quorate queues ack TOKEN --agent ID`.

use quorate_plane::Plane;

use super::{Claimed, done, stale};
use crate::failure::Failure;
use crate::out::Answer;
use crate::refusal;

pub(crate) async fn run(plane: &Plane, args: &Claimed) -> Result<Answer, Failure> {
    let tokens = [args.token.clone()];
    let outcome = plane.queues().once().ack(&args.actor.agent, args.actor.epoch, &tokens).await?;
    Ok(refusal::or(
        outcome,
        |late| if late.is_empty() { done("acked", &args.token) } else { stale(&args.token) },
    ))
}
