//! `webhooks add`.

use quorate_plane::events::Stream;
use quorate_plane::webhooks::{Address, NewWebhook, Pattern, Secret, Webhook};

use crate::prelude::*;

/// Tells an address of events from now on, as signed HTTP calls. The answer has the secret, this once.
#[derive(Clone, Deserialize, JsonSchema)]
pub struct Add {
    /// Where to: an http or https URL without credentials and without a query.
    pub url: Said<Address>,
    /// Of which events: their names, or the beginning of them and a *; of all, if none is said.
    #[serde(default)]
    pub events: Vec<Said<Pattern>>,
    /// Of which streams: task, approval, lock or all; the first three, if none is said.
    #[serde(default)]
    pub streams: Vec<Said<Stream>>,
    /// What is to sign the deliveries: whsec_ and the base64 of 24 to 64 bytes; a new one, if it is not said.
    #[serde(default)]
    pub secret: Option<String>,
}

/// Whatever is printed for debugging ends in a log.
impl std::fmt::Debug for Add {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Add").field("url", &self.url).finish_non_exhaustive()
    }
}

#[derive(Clone, Serialize, JsonSchema)]
pub struct Added {
    /// `added`.
    pub outcome: &'static str,
    #[serde(flatten)]
    pub webhook: Webhook,
    /// What signs the deliveries. It is not shown again.
    pub secret: String,
}

impl Verb for Add {
    const ABOUT: About =
        About::new("webhooks", "add", Method::Post, "/webhooks", Level::Admin, Effect::Change)
            .of(&["id"])
            .also(&[("event", "events"), ("stream", "streams")]);
    type Answer = Added;

    fn example() -> Value {
        json!({ "url": "https://example.org/hooks/quorate", "events": ["task:*"], "streams": ["task"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Added>, Fault> {
        let secret = self.secret.as_deref().map(Secret::parse).transpose();
        let secret = secret.map_err(|error| Fault::bad("secret", error.detail()))?;
        let wanted = NewWebhook {
            url: self.url.0.clone(),
            events: self.events.iter().map(|pattern| pattern.0.clone()).collect(),
            streams: self.streams.iter().map(|stream| stream.0).collect(),
            secret,
            by: call.who.clone(),
        };
        let outcome = call.plane.webhooks().asked(call.request.as_deref()).add(&wanted).await?;
        Ok(Verdict::from(outcome).map(|made| Added {
            outcome: "added",
            webhook: made.webhook,
            secret: made.secret.reveal().to_owned(),
        }))
    }
}
