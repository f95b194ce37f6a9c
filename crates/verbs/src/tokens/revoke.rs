//! `tokens revoke`.

use quorate_plane::tokens::TokenName;

use crate::prelude::*;

/// Ends a token, and every session that its holder opened.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Revoke {
    /// Which one.
    pub name: Said<TokenName>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Revoked {
    /// `revoked`.
    pub outcome: &'static str,
    pub name: String,
    pub id: String,
    pub role: String,
}

impl Verb for Revoke {
    const ABOUT: About =
        About::new("tokens", "revoke", Method::Delete, "/tokens/{name}", Level::Admin, Effect::Destroys);
    type Answer = Revoked;

    fn example() -> Value {
        json!({ "name": "ci" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Revoked>, Fault> {
        let outcome =
            call.plane.tokens().asked(call.request.as_deref()).revoke(&self.name, &call.who).await?;
        Ok(Verdict::from(outcome).map(|gone| Revoked {
            outcome: "revoked",
            name: gone.name.to_string(),
            id: gone.id,
            role: gone.role,
        }))
    }
}
