//! `quorate observations drop ID…`.

use quorate_plane::Plane;
use quorate_verbs::observations::Drop;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Dead observations.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let mut ids = args.ids.iter().cloned();
    let first = ids.next().ok_or_else(|| Failure::bad_input("name an observation"))?;
    let verb = Drop { id: first, ids: ids.collect() };
    ask(plane, &verb, |done| View::Text(format!("dropped {}", done.dropped))).await
}
