//! `observations read`.

use super::GROUP;
use crate::events::Batch;
use crate::prelude::*;

/// Reads pending observations for a group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Read {
    /// The group; consolidator if it is not said.
    #[serde(default)]
    pub group: Option<String>,
    /// Who reads.
    pub consumer: String,
    /// Most observations at once; 100 if it is not said.
    #[serde(default)]
    pub count: Option<Within<1, 1_000>>,
    /// How long to wait if there is nothing.
    #[serde(default)]
    pub wait: Option<Span>,
}

impl Verb for Read {
    const ABOUT: About =
        About::new("observations", "read", Method::Post, "/observations/read", Level::Work, Effect::Hot)
            .by("consumer");
    type Answer = Batch;

    fn example() -> Value {
        json!({ "consumer": "worker-1", "count": 10 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Batch>, Fault> {
        let group = self.group.as_deref().unwrap_or(GROUP);
        let count = self.count.and_then(|count| u32::try_from(count.0).ok()).unwrap_or(100);
        let wait = self.wait.map(|wait| wait.0).unwrap_or_default();
        let outcome = call.plane.observations().read(group, &self.consumer, count, wait).await?;
        Ok(Verdict::from(outcome).map(Batch::from))
    }
}
