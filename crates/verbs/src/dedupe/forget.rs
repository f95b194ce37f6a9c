//! `dedupe forget`.

use super::What;
use crate::prelude::*;

/// Forgets a content, so that it is new again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Forget {
    #[serde(flatten)]
    pub what: What,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Forgotten {
    /// `forgotten`.
    pub outcome: &'static str,
    pub scope: String,
    pub hash: String,
}

impl Verb for Forget {
    const ABOUT: About =
        About::new("dedupe", "forget", Method::Post, "/dedupe/forget", Level::Work, Effect::Hot);
    type Answer = Forgotten;

    fn example() -> Value {
        json!({ "scope": "webhooks", "content": "delivery 42" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Forgotten>, Fault> {
        let (scope, hash) = (&self.what.scope, self.what.hash()?);
        if !call.plane.dedupe().forget(scope, &hash).await? {
            return Err(Fault::NotFound("it was not seen".to_owned()));
        }
        let (scope, hash) = (scope.to_string(), hash.to_string());
        Ok(Verdict::Done(Forgotten { outcome: "forgotten", scope, hash }))
    }
}
