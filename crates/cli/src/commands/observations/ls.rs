//! `quorate observations ls`.

use quorate_plane::Plane;
use quorate_verbs::observations::Ls;
use quorate_verbs::said::Within;

use crate::ask::ask;
use crate::commands::events::table;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The dead ones, with their reason.
    #[arg(long)]
    dead: bool,
    /// Most observations, the newest.
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Ls { dead: args.dead, limit: Some(Within(args.limit.into())) };
    ask(plane, &verb, |all| table(all)).await
}
