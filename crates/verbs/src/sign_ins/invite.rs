//! `sign-ins invite`.

use std::time::Duration;

use quorate_catalog::ids::UserId;
use quorate_plane::tokens::Role;

use crate::prelude::*;

/// Makes a one-time code by which somebody signs in. The answer has it, this once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Invite {
    /// Who signs in.
    pub user: Said<UserId>,
    /// The role that they then have: viewer, agent, operator, reviewer or admin.
    pub role: Said<Role>,
    /// How long the code is good for, 7d at most; 15m if it is not said.
    #[serde(default)]
    pub ttl: Option<Span>,
}

#[derive(Clone, Serialize, JsonSchema)]
pub struct Invited {
    /// `invited`.
    pub outcome: &'static str,
    pub user: String,
    pub role: String,
    /// It is nowhere else.
    pub code: String,
}

/// How long a code is good for.
const USUAL: Duration = Duration::from_secs(15 * 60);

impl Verb for Invite {
    const ABOUT: About = About::new(
        "sign-ins",
        "invite",
        Method::Post,
        "/sign-ins/{user}/invite",
        Level::Admin,
        Effect::Change,
    );
    type Answer = Invited;

    fn example() -> Value {
        json!({ "user": "ada", "role": "operator", "ttl": "15m" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Invited>, Fault> {
        let ttl = self.ttl.map_or(USUAL, |ttl| ttl.0);
        let code = call.plane.sign_in().invite(&self.user, self.role.0, ttl).await?;
        let (user, role) = (self.user.to_string(), self.role.to_string());
        Ok(Verdict::Done(Invited { outcome: "invited", user, role, code }))
    }
}
