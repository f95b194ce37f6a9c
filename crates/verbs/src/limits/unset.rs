//! `limits unset`.

use quorate_catalog::ids::Endpoint;

use crate::prelude::*;

/// Takes a limit away.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Unset {
    /// What is no longer limited.
    pub endpoint: Said<Endpoint>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Unlimited {
    /// `unset`.
    pub outcome: &'static str,
    pub endpoint: String,
}

impl Verb for Unset {
    const ABOUT: About =
        About::new("limits", "unset", Method::Delete, "/limits/{endpoint}", Level::Operate, Effect::Change);
    type Answer = Unlimited;

    fn example() -> Value {
        json!({ "endpoint": "reports:create" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Unlimited>, Fault> {
        if !call.plane.limits().unset(&self.endpoint).await? {
            return Err(Fault::NotFound(format!("{} has no limit", self.endpoint.0)));
        }
        Ok(Verdict::Done(Unlimited { outcome: "unset", endpoint: self.endpoint.to_string() }))
    }
}
