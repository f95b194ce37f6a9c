//! `sign-ins role`.

use std::str::FromStr;

use quorate_catalog::ids::UserId;
use quorate_plane::tokens::Role;

use crate::prelude::*;

/// Gives somebody another role, or none; every session of theirs has it from then on, except for those that were opened
/// with a token, which have the role of the token.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Appoint {
    /// Whose role it is.
    pub user: Said<UserId>,
    /// viewer, agent, operator, reviewer, admin, or none.
    pub role: Said<Wanted>,
}

/// A role, or that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted(pub Option<Role>);

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" { Ok(Self(None)) } else { text.parse().map(|role| Self(Some(role))) }
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Appointed {
    /// `appointed`.
    pub outcome: &'static str,
    pub user: String,
    pub role: Option<String>,
    /// The role before.
    pub before: Option<String>,
}

impl Verb for Appoint {
    const ABOUT: About =
        About::new("sign-ins", "role", Method::Put, "/sign-ins/{user}/role", Level::Admin, Effect::Change);
    type Answer = Appointed;

    fn example() -> Value {
        json!({ "user": "ada", "role": "viewer" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Appointed>, Fault> {
        let role = self.role.0.0;
        let before = call.plane.sign_in().set_role(&self.user, role).await?;
        let text = |role: Option<Role>| role.map(|role| role.to_string());
        Ok(Verdict::Done(Appointed {
            outcome: "appointed",
            user: self.user.to_string(),
            role: text(role),
            before: text(before),
        }))
    }
}
