//! `quorate sign-ins revoke USER`.

use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whose.
    user: UserId,
}

pub(crate) async fn run(plane: &Plane, Args { user }: &Args) -> Result<Answer, Failure> {
    let ended = plane.sign_in().revoke_user(user).await?;
    let json = json!({ "outcome": "revoked", "user": user, "sessions": ended });
    Ok(Answer::new(json, View::Text(format!("ended {ended} sessions of {user}"))))
}
