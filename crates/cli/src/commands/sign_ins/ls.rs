//! `quorate sign-ins ls [--user USER]`.

use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use quorate_plane::sign_in::SignInInfo;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only theirs, those that other clients wrote too.
    #[arg(long, value_name = "USER")]
    user: Option<UserId>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let sessions = plane.sign_in().ls(args.user.as_ref()).await?;
    let rows = sessions.iter().map(row).collect();
    let header = &["session", "user", "role", "by", "address", "last active", "ends"];
    Ok(Answer::new(json!(sessions), View::Rows { header, rows }))
}

fn row(session: &SignInInfo) -> Vec<String> {
    let by = match session {
        SignInInfo { foreign: true, .. } => "another client",
        SignInInfo { by_token: true, .. } => "token",
        _ => "code",
    };
    vec![
        session.id.chars().take(16).collect(),
        session.user.clone(),
        session.role.map_or("none".to_owned(), |role| role.to_string()),
        by.to_owned(),
        session.ip_address.clone().unwrap_or_default(),
        session.last_active.clone().unwrap_or_default(),
        session.expires_at.map_or("unknown".to_owned(), |end| end.iso()),
    ]
}
