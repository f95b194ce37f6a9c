//! `quorate sign-ins role USER ROLE|none`.

use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use quorate_plane::tokens::Role;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who.
    user: UserId,
    /// viewer, agent, operator, reviewer, admin, or none.
    #[arg(value_parser = role)]
    role: Wanted,
}

/// A role, or that there is none.
#[derive(Debug, Clone, Copy)]
struct Wanted(Option<Role>);

fn role(text: &str) -> Result<Wanted, String> {
    if text == "none" { Ok(Wanted(None)) } else { text.parse().map(|role| Wanted(Some(role))) }
}

pub(crate) async fn run(plane: &Plane, Args { user, role }: &Args) -> Result<Answer, Failure> {
    let before = plane.sign_in().set_role(user, role.0).await?;
    let now = role.0.map_or("none", Role::as_str);
    let json = json!({ "outcome": "appointed", "user": user, "role": role.0, "before": before });
    Ok(Answer::new(json, View::Text(format!("{user} has the role {now}"))))
}
