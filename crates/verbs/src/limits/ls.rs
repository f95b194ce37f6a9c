//! `limits ls`.

use super::Ruled;
use crate::prelude::*;

/// Lists the endpoints that have a limit.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

impl Verb for Ls {
    const ABOUT: About = About::new("limits", "ls", Method::Get, "/limits", Level::Read, Effect::None);
    type Answer = Vec<Ruled>;

    fn example() -> Value {
        json!({})
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(keys.quorate().limits(), &[]).always())
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Ruled>>, Fault> {
        let all = call.plane.limits().ls().await?;
        Ok(Verdict::Done(all.into_iter().map(|(endpoint, rule)| Ruled::new(endpoint, rule)).collect()))
    }
}
