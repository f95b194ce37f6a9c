//! `webhooks test`.

use quorate_catalog::ids::WebhookId;

use crate::prelude::*;

/// Sends a webhook a delivery that says nothing, now and once, and says how it went.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Test {
    /// Which one.
    pub id: Said<WebhookId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Tested {
    /// `delivered` or `failed`.
    pub outcome: &'static str,
    pub id: String,
    /// How it ended, in a few words.
    pub result: String,
}

impl Verb for Test {
    const ABOUT: About =
        About::new("webhooks", "test", Method::Post, "/webhooks/{id}/test", Level::Admin, Effect::Change);
    type Answer = Tested;

    fn example() -> Value {
        json!({ "id": "wh-4f2a9c01d7e84b6a" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Tested>, Fault> {
        let outcome = call.plane.webhooks().test(&self.id).await?;
        Ok(Verdict::from(outcome).map(|tried| Tested {
            outcome: if tried.taken { "delivered" } else { "failed" },
            id: self.id.to_string(),
            result: tried.result,
        }))
    }
}
