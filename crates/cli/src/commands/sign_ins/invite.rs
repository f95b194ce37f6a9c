//! `quorate sign-ins invite USER --role ROLE`.

use std::time::Duration;

use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use quorate_plane::tokens::Role;
use quorate_verbs::said::{Said, Span};
use quorate_verbs::sign_ins::Invite;

use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who signs in.
    user: UserId,
    /// The role that they then have: viewer, agent, operator, reviewer or admin.
    #[arg(long)]
    role: Role,
    /// How long the code is good for, 7d at most.
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "15m")]
    ttl: Duration,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Invite { user: Said(args.user.clone()), role: Said(args.role), ttl: Some(Span(args.ttl)) };
    ask(plane, &verb, |invited| View::Text(invited.code.clone())).await
}
