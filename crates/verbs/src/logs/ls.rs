//! `logs ls`.

use quorate_plane::logs::Service;

use crate::prelude::*;

/// Lists the services that have logged.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

impl Verb for Ls {
    const ABOUT: About = About::new("logs", "ls", Method::Get, "/logs", Level::Read, Effect::None);
    type Answer = Vec<Service>;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Service>>, Fault> {
        Ok(Verdict::Done(call.plane.logs().services().await?))
    }
}
