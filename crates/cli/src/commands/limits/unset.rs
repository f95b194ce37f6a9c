//! `quorate limits unset ENDPOINT`.

use quorate_catalog::ids::Endpoint;
use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What is no longer limited.
    endpoint: Endpoint,
}

pub(crate) async fn run(plane: &Plane, Args { endpoint }: &Args) -> Result<Answer, Failure> {
    if !plane.limits().unset(endpoint).await? {
        return Err(Failure::not_found(format!("{endpoint} has no limit")));
    }
    let json = json!({ "outcome": "unset", "endpoint": endpoint });
    Ok(Answer::new(json, View::Text(format!("{endpoint} is not limited"))))
}
