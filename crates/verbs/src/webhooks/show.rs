//! `webhooks show`.

use quorate_catalog::ids::WebhookId;
use quorate_plane::Refusal;
use quorate_plane::webhooks::Webhook;

use crate::prelude::*;

/// Shows a webhook and how its last delivery went, never its secret.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// Which one.
    pub id: Said<WebhookId>,
}

impl Verb for Show {
    const ABOUT: About =
        About::new("webhooks", "show", Method::Get, "/webhooks/{id}", Level::Admin, Effect::None);
    type Answer = Webhook;

    fn example() -> Value {
        json!({ "id": "wh-4f2a9c01d7e84b6a" })
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(keys.quorate().webhook(&self.id), &["url", "events", "streams", "created_at"]))
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Webhook>, Fault> {
        let found = call.plane.webhooks().show(&self.id).await?;
        let none = || Verdict::Refused(Refusal::new("no_webhook", Some(self.id.to_string())).into());
        Ok(found.map_or_else(none, Verdict::Done))
    }
}
