//! `quorate locks steal RES --agent ID --owner OWNER`.

use quorate_plane::Plane;
use quorate_plane::locks::Resource;
use quorate_verbs::locks::Steal;
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
    /// Who holds it, as `locks acquire` said.
    #[arg(long)]
    owner: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Steal { lock: Said(args.on.clone()), actor: args.actor.verb(), owner: args.owner.clone() };
    ask(plane, &verb, done).await
}
