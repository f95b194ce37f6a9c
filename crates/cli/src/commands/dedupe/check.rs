//! `quorate dedupe check SCOPE CONTENT`.

use std::time::Duration;

use quorate_plane::Plane;
use serde_json::json;

use super::What;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    what: What,
    /// For how long it counts as seen; a scope has one window.
    #[arg(long, value_parser = duration::parse, default_value = "24h")]
    window: Duration,
}

pub(crate) async fn run(plane: &Plane, Args { what, window }: &Args) -> Result<Answer, Failure> {
    let hash = what.hash();
    Ok(refusal::or(plane.dedupe().check(&what.scope, &hash, *window).await?, |seen| {
        let outcome = if seen.first { "first" } else { "duplicate" };
        let json = json!({ "outcome": outcome, "scope": what.scope, "hash": hash, "seen_at": seen.seen_at });
        Answer::new(json, View::Text(outcome.to_owned()))
    }))
}
