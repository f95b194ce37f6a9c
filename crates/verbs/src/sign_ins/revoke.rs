//! `sign-ins revoke`.

use quorate_catalog::ids::UserId;

use crate::prelude::*;

/// Ends all sessions of somebody, and makes their codes worthless.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Revoke {
    /// Whose sessions.
    pub user: Said<UserId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Revoked {
    /// `revoked`.
    pub outcome: &'static str,
    pub user: String,
    /// How many there were.
    pub sessions: u64,
}

impl Verb for Revoke {
    const ABOUT: About =
        About::new("sign-ins", "revoke", Method::Delete, "/sign-ins/{user}", Level::Admin, Effect::Destroys);
    type Answer = Revoked;

    fn example() -> Value {
        json!({ "user": "ada" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Revoked>, Fault> {
        let sessions = call.plane.sign_in().revoke_user(&self.user).await?;
        Ok(Verdict::Done(Revoked { outcome: "revoked", user: self.user.to_string(), sessions }))
    }
}
