//! `quorate sign-ins invite USER --role ROLE`.

use std::time::Duration;

use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use quorate_plane::tokens::Role;
use serde_json::json;

use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who signs in.
    user: UserId,
    /// The role that they then have: viewer, agent, operator, reviewer or admin.
    #[arg(long)]
    role: Role,
    /// How long the code is good for, 7d at most.
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "15m")]
    ttl: Duration,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let code = plane.sign_in().invite(&args.user, args.role, args.ttl).await?;
    let json = json!({ "outcome": "invited", "user": args.user, "role": args.role, "code": code });
    Ok(Answer::new(json, View::Text(code)))
}
