//! `observations reject`.

use super::GROUP;
use crate::prelude::*;

/// Puts an observation that failed with the dead ones.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Reject {
    /// The observation.
    pub id: String,
    /// Why it failed.
    pub reason: String,
    /// The group; consolidator if it is not said.
    #[serde(default)]
    pub group: Option<String>,
    /// Who has it.
    pub consumer: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Rejected {
    /// `rejected`.
    pub outcome: &'static str,
    /// Its id among the dead ones.
    pub id: String,
    pub original_id: String,
}

impl Verb for Reject {
    const ABOUT: About = About::new(
        "observations",
        "reject",
        Method::Post,
        "/observations/{id}/reject",
        Level::Work,
        Effect::Hot,
    )
    .by("consumer");
    type Answer = Rejected;

    fn example() -> Value {
        json!({ "id": "1794768310000-0", "reason": "it says nothing", "consumer": "worker-1" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Rejected>, Fault> {
        let group = self.group.as_deref().unwrap_or(GROUP);
        let observations = call.plane.observations();
        let outcome = observations.reject(group, &self.consumer, &self.id, &self.reason).await?;
        let original_id = self.id.clone();
        Ok(Verdict::from(outcome).map(|id| Rejected { outcome: "rejected", id, original_id }))
    }
}
