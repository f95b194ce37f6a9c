//! `quorate queues ack TOKEN --agent ID`.

use quorate_plane::Plane;
use quorate_verbs::queues::Ack;

use super::Claimed;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, args: &Claimed) -> Result<Answer, Failure> {
    let (claims, actor) = (args.tokens(), args.actor.verb());
    let verb = Ack { token: claims.token, tokens: claims.tokens, agent: actor.agent, epoch: actor.epoch };
    ask(plane, &verb, |done| View::Text(format!("{} {}", done.outcome, done.token))).await
}
