//! `notices show`.

use quorate_plane::notices::State;

use crate::prelude::*;

/// Says whether people are told of failed tasks, who they are, and what waits to be told.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {}

impl Verb for Show {
    const ABOUT: About = About::new("notices", "show", Method::Get, "/notices", Level::Read, Effect::None);
    type Answer = State;

    fn example() -> Value {
        json!({})
    }

    /// What waits is told by itself; what people set is what counts.
    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(keys.relayna().notice_settings(), &[]).always())
    }

    async fn run(&self, call: &Call) -> Result<Verdict<State>, Fault> {
        Ok(Verdict::Done(call.plane.notices().show().await?))
    }
}
