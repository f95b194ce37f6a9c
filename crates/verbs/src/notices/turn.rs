//! `notices run`, `notices test`.

use quorate_plane::notices::Turn;

use crate::prelude::*;

/// Looks for failed tasks now, and tells of them if the wait is over.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Run {}

impl Verb for Run {
    const ABOUT: About =
        About::new("notices", "run", Method::Post, "/notices/run", Level::Operate, Effect::Hot);
    type Answer = Turn;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Turn>, Fault> {
        Ok(Verdict::Done(call.plane.notices().turn().await?))
    }
}

/// Sends a mail that says nothing, now and once, so that the way can be tried.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Test {}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Tested {
    /// Whether the mail server took it.
    pub sent: bool,
    /// Why not.
    pub trouble: Option<String>,
}

impl Verb for Test {
    const ABOUT: About =
        About::new("notices", "test", Method::Post, "/notices/test", Level::Operate, Effect::Change);
    type Answer = Tested;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Tested>, Fault> {
        let trouble = call.plane.notices().test().await?;
        Ok(Verdict::Done(Tested { sent: trouble.is_none(), trouble }))
    }
}
