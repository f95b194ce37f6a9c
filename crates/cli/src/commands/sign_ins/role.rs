//! `quorate sign-ins role USER ROLE|none`.

use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::sign_ins::{Appoint, Wanted};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who.
    user: UserId,
    /// viewer, agent, operator, reviewer, admin, or none.
    role: Wanted,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Appoint { user: Said(args.user.clone()), role: Said(args.role) };
    ask(plane, &verb, |done| {
        View::Text(format!("{} has the role {}", done.user, done.role.as_deref().unwrap_or("none")))
    })
    .await
}
