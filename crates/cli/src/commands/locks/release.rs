//! `quorate locks release RES --agent ID --token N`.

use quorate_plane::Plane;
use quorate_plane::locks::Resource;
use quorate_verbs::locks::Release;
use quorate_verbs::said::Said;

use super::{Actor, done};
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The lock.
    #[arg(value_name = "RES")]
    on: Resource,
    #[command(flatten)]
    actor: Actor,
    /// The token of the hold.
    #[arg(long, env = "QUORATE_TOKEN", value_name = "N")]
    token: u64,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Release { lock: Said(args.on.clone()), actor: args.actor.verb(), token: args.token };
    ask(plane, &verb, done).await
}
