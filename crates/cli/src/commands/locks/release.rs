//! `quorate locks release RES --agent ID --token N`.

use quorate_plane::Plane;
use quorate_plane::locks::Resource;

use super::{Actor, done};
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
    let outcome = plane.locks().release(&args.on, &args.actor.agent, args.token).await?;
    Ok(done(&outcome, "released", &args.on))
}
