//! `quorate locks deadlocks`.

use quorate_plane::Plane;
use quorate_verbs::locks::{Break, Deadlocks, Rings};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Break each ring: one wait in it is failed, and nothing that is held is taken away.
    #[arg(long)]
    r#break: bool,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    match args.r#break {
        true => ask(plane, &Break {}, view).await,
        false => ask(plane, &Deadlocks {}, view).await,
    }
}

fn view(rings: &Rings) -> View {
    View::Text(match rings.deadlocks.len() {
        0 => "no agents wait for each other".to_owned(),
        _ => rings.deadlocks.iter().map(|ring| ring.join(", ")).collect::<Vec<_>>().join("\n"),
    })
}
