//! `sign-ins ls`.

use quorate_catalog::ids::UserId;
use quorate_plane::sign_in::SignInInfo;

use crate::prelude::*;

/// Lists open sessions.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// Only theirs, those that other clients wrote too.
    #[serde(default)]
    pub user: Option<Said<UserId>>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("sign-ins", "ls", Method::Get, "/sign-ins", Level::Admin, Effect::None);
    type Answer = Vec<SignInInfo>;

    fn example() -> Value {
        json!({ "user": "ada" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<SignInInfo>>, Fault> {
        let user = self.user.as_ref().map(|user| &user.0);
        Ok(Verdict::Done(call.plane.sign_in().ls(user).await?))
    }
}
