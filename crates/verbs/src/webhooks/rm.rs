//! `webhooks rm`.

use quorate_catalog::ids::WebhookId;

use crate::prelude::*;

/// Removes a webhook; what was on its way is not sent any more.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Rm {
    /// Which one.
    pub id: Said<WebhookId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Removed {
    /// `removed`.
    pub outcome: &'static str,
    pub id: String,
    pub url: String,
}

impl Verb for Rm {
    const ABOUT: About =
        About::new("webhooks", "rm", Method::Delete, "/webhooks/{id}", Level::Admin, Effect::Destroys);
    type Answer = Removed;

    fn example() -> Value {
        json!({ "id": "wh-4f2a9c01d7e84b6a" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Removed>, Fault> {
        let outcome = call.plane.webhooks().asked(call.request.as_deref()).rm(&self.id).await?;
        Ok(Verdict::from(outcome).map(|gone| Removed { outcome: "removed", id: gone.id, url: gone.url }))
    }
}
