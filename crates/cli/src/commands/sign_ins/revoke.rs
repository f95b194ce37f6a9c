//! `quorate sign-ins revoke USER`.

use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::sign_ins::Revoke;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whose.
    user: UserId,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Revoke { user: Said(args.user.clone()) };
    ask(plane, &verb, |done| View::Text(format!("ended {} sessions of {}", done.sessions, done.user))).await
}
