//! `tokens ls`.

use quorate_plane::tokens::TokenInfo;

use crate::prelude::*;

/// Lists the tokens, never their secrets.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

impl Verb for Ls {
    const ABOUT: About = About::new("tokens", "ls", Method::Get, "/tokens", Level::Admin, Effect::None);
    type Answer = Vec<TokenInfo>;

    fn example() -> Value {
        json!({})
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(keys.quorate().token_names(), &[]).always())
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<TokenInfo>>, Fault> {
        Ok(Verdict::Done(call.plane.tokens().ls().await?))
    }
}
