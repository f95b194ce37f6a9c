//! `notices set`.

use quorate_plane::notices::State;

use crate::prelude::*;

/// Changes whether people are told of failed tasks, and how long failures are gathered for one message.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Set {
    /// Whether anybody is told.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// How long failures are gathered after the first one, in seconds.
    #[serde(default)]
    pub batch_wait_seconds: Option<Within<0, 604_800>>,
}

impl Verb for Set {
    const ABOUT: About =
        About::new("notices", "set", Method::Patch, "/notices", Level::Operate, Effect::Change);
    type Answer = State;

    fn example() -> Value {
        json!({ "enabled": true, "batch_wait_seconds": 300 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<State>, Fault> {
        let wait = self.batch_wait_seconds.map(|wait| wait.count() as u64);
        if self.enabled.is_none() && wait.is_none() {
            return Err(Fault::bad("enabled", "say enabled, batch_wait_seconds or both"));
        }
        Ok(Verdict::Done(call.plane.notices().set(self.enabled, wait).await?))
    }
}
