//! `quorate observations ls`.

use quorate_plane::Plane;

use crate::commands::events::entries;
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
    Ok(entries(&plane.observations().newest(args.dead, args.limit.into()).await?))
}
