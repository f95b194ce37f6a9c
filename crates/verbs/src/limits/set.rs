//! `limits set`.

use quorate_catalog::ids::Endpoint;

use super::{Allowed, Ruled};
use crate::prelude::*;

/// Sets what an endpoint allows each user, such as 100/1m.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Set {
    /// What is limited, such as reports:create.
    pub endpoint: Said<Endpoint>,
    /// How much in which time, such as 100/1m.
    pub rule: Said<Allowed>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SetTo {
    #[serde(flatten)]
    pub ruled: Ruled,
    /// `set`.
    pub outcome: &'static str,
}

impl Verb for Set {
    const ABOUT: About =
        About::new("limits", "set", Method::Put, "/limits/{endpoint}", Level::Operate, Effect::Change);
    type Answer = SetTo;

    fn example() -> Value {
        json!({ "endpoint": "reports:create", "rule": "100/1m" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<SetTo>, Fault> {
        let rule = self.rule.0.0;
        call.plane.limits().set(&self.endpoint, rule).await?;
        Ok(Verdict::Done(SetTo { ruled: Ruled::new(self.endpoint.to_string(), rule), outcome: "set" }))
    }
}
