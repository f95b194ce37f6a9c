//! `webhooks ls`.

use quorate_plane::webhooks::Webhook;

use crate::prelude::*;

/// Lists the webhooks and how their last deliveries went, never their secrets.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

impl Verb for Ls {
    const ABOUT: About = About::new("webhooks", "ls", Method::Get, "/webhooks", Level::Admin, Effect::None);
    type Answer = Vec<Webhook>;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Webhook>>, Fault> {
        Ok(Verdict::Done(call.plane.webhooks().ls().await?))
    }
}
