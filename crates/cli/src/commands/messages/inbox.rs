//! `quorate messages inbox ID`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use serde_json::json;

use super::table;
use crate::failure::Failure;
use crate::out::Answer;
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whose inbox.
    id: AgentId,
    /// Most messages to show.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// The newest first.
    #[arg(long)]
    newest: bool,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let found = plane.messages().inbox(&args.id, args.limit.into(), args.newest).await?;
    Ok(refusal::or(found, |inbox| Answer::new(json!(inbox), table(&inbox.messages))))
}
