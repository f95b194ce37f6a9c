//! `quorate events forget STREAM GROUP`.

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use quorate_verbs::events::Forget;
use quorate_verbs::said::Said;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which stream.
    stream: Stream,
    /// The group; what it had not read or acknowledged is no longer kept for it.
    group: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Forget { stream: Said(args.stream), group: args.group.clone() };
    ask(plane, &verb, |done| View::Text(format!("{} holds nothing back any more", done.group))).await
}
