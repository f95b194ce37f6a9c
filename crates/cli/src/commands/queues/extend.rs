//! `quorate queues extend TOKEN --agent ID`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_verbs::queues::Extend;
use quorate_verbs::said::Ttl;

use super::Claimed;
use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    claimed: Claimed,
    /// How long you have from now.
    #[arg(long, value_parser = duration::ttl, default_value = "10s")]
    lease: Duration,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Extend {
        claims: args.claimed.tokens(),
        actor: args.claimed.actor.verb(),
        lease: Some(Ttl(args.lease)),
    };
    ask(plane, &verb, |done| View::Text(format!("yours until {}", done.lease_until))).await
}
