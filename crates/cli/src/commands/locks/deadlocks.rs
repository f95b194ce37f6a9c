//! `quorate locks deadlocks`.

use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Break each ring: one wait in it is failed, and nothing that is held is taken away.
    #[arg(long)]
    r#break: bool,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let rings = plane.locks().deadlocks(args.r#break).await?;
    let text = match rings.len() {
        0 => "no agents wait for each other".to_owned(),
        _ => rings.iter().map(|ring| ring.join(", ")).collect::<Vec<_>>().join("\n"),
    };
    Ok(Answer::new(
        json!({ "deadlocks": rings, "broken": args.r#break && !rings.is_empty() }),
        View::Text(text),
    ))
}
