//! `quorate dead investigate ID`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Plane;
use quorate_verbs::dead::{Investigate, Investigated};
use quorate_verbs::said::Said;

use super::Who;
use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The letter.
    #[arg(value_name = "ID")]
    id: DeadLetterId,
    #[command(flatten)]
    who: Who,
    /// What you found out; without it, the mark is taken away.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    note: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Investigate { id: Said(args.id.clone()), note: args.note.clone() };
    let view = |done: &Investigated| View::Text(format!("{} {}", done.outcome, done.letter));
    ask_as(plane, &args.who.by, &verb, view).await
}
