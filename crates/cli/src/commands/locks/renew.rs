//! `quorate locks renew RES --agent ID --token N`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_plane::locks::Resource;
use quorate_verbs::locks::Renew;
use quorate_verbs::said::{Said, Ttl};

use super::Actor;
use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

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
    /// How long it lasts from now [default: as long as it was taken for].
    #[arg(long, value_parser = duration::ttl)]
    ttl: Option<Duration>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Renew {
        lock: Said(args.on.clone()),
        actor: args.actor.verb(),
        token: args.token,
        ttl: args.ttl.map(Ttl),
    };
    ask(plane, &verb, |renewed| {
        View::Text(format!("renewed {} until {}", renewed.grant.lock, renewed.grant.expires_at))
    })
    .await
}
