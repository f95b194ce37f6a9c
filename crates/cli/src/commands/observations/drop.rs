//! `quorate observations drop ID…`.

use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Dead observations.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let dropped = plane.observations().drop(&args.ids).await?;
    Ok(Answer::new(
        json!({ "outcome": "dropped", "dropped": dropped }),
        View::Text(format!("dropped {dropped}")),
    ))
}
