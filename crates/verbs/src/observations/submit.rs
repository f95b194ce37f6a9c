//! `observations submit`.

use quorate_plane::Refusal;
use quorate_plane::events::{Gate, Observation};

use crate::prelude::*;

/// Hands an observation in; the same one within 15 minutes is refused and goes to the dead ones.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Submit {
    /// What was noticed.
    pub content: String,
    /// What it is about; the same content under another topic is another observation.
    #[serde(default)]
    pub topic: String,
    /// Who noticed it; the caller, if it is not said.
    #[serde(default)]
    pub source: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Accepted {
    /// `accepted`.
    pub outcome: &'static str,
    pub id: String,
}

impl Verb for Submit {
    const ABOUT: About =
        About::new("observations", "submit", Method::Post, "/observations", Level::Work, Effect::Hot)
            .by("source");
    type Answer = Accepted;

    fn example() -> Value {
        json!({ "content": "the index is slow on Mondays", "topic": "search" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Accepted>, Fault> {
        let one = Observation {
            content: self.content.clone(),
            topic: self.topic.clone(),
            source: self.source.clone().unwrap_or_else(|| call.name()),
        };
        let outcome = call.plane.observations().submit(&one).await?;
        Ok(Verdict::from(outcome).and_then(|gate| match gate {
            Gate::Accepted { id } => Verdict::Done(Accepted { outcome: "accepted", id }),
            Gate::Rejected { id, reason } => {
                let refused = Refused::new("rejected", Refusal::new(&reason, None));
                Verdict::Refused(refused.with("id", id).with("reason", reason))
            }
        }))
    }
}
