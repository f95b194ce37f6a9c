//! `quorate tokens ls`.

use quorate_plane::Plane;
use quorate_plane::tokens::TokenInfo;
use quorate_verbs::tokens::Ls;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let header = &["name", "role", "scopes", "agent", "by", "expires", "last used"];
    ask(plane, &Ls {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}

fn row(token: &TokenInfo) -> Vec<String> {
    let scopes: Vec<String> = token.scopes.iter().map(ToString::to_string).collect();
    let expires = match token.expires_at {
        Some(_) if token.expired => "expired".to_owned(),
        Some(end) => end.iso(),
        None => "never".to_owned(),
    };
    vec![
        token.name.clone(),
        token.role.to_string(),
        if scopes.is_empty() { "all".to_owned() } else { scopes.join(" ") },
        token.agent.as_ref().map(ToString::to_string).unwrap_or_default(),
        token.by.clone(),
        expires,
        token.last_used.map_or("never".to_owned(), |last| last.iso()),
    ]
}
