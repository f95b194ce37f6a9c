//! `quorate dead drop ID…`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Plane;
use quorate_verbs::dead::{Drop, Dropped};
use quorate_verbs::said::Said;

use super::Who;
use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The letters.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<DeadLetterId>,
    #[command(flatten)]
    who: Who,
    /// Why, for the audit.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reason: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let mut ids = args.ids.iter().cloned().map(Said);
    let first = ids.next().ok_or_else(|| Failure::bad_input("name a letter"))?;
    let verb = Drop { id: first, ids: ids.collect(), reason: args.reason.clone() };
    let view = |done: &Dropped| View::Text(format!("dropped {}", done.dropped.join(", ")));
    ask_as(plane, &args.who.by, &verb, view).await
}
