//! `quorate messages send TO TEXT`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_verbs::messages::Send;
use quorate_verbs::said::Said;

use super::Letter;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whom it is for.
    to: AgentId,
    /// The message; it is kept byte for byte.
    text: String,
    #[command(flatten)]
    letter: Letter,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Send { to: Said(args.to.clone()), letter: args.letter.verb(&args.text)? };
    ask(plane, &verb, |sent| View::Text(format!("{} is in the inbox of {}", sent.id, sent.to))).await
}
