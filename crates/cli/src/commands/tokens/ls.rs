//! `quorate tokens ls`.

use quorate_plane::Plane;
use quorate_plane::tokens::TokenInfo;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let tokens = plane.tokens().ls().await?;
    let rows = tokens.iter().map(row).collect();
    let header = &["name", "role", "scopes", "agent", "by", "expires", "last used"];
    Ok(Answer::new(json!(tokens), View::Rows { header, rows }))
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
