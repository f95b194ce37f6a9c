//! `quorate sign-ins ls [--user USER]`.

use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use quorate_plane::sign_in::SignInInfo;
use quorate_verbs::said::Said;
use quorate_verbs::sign_ins::Ls;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only theirs, those that other clients wrote too.
    #[arg(long, value_name = "USER")]
    user: Option<UserId>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let header = &["session", "user", "role", "by", "address", "last active", "ends"];
    let verb = Ls { user: args.user.clone().map(Said) };
    ask(plane, &verb, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
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
