//! `limits check`.

use quorate_plane::Refusal;

use super::{Ask, Stand};
use crate::prelude::*;

/// Takes from one or several limits, all or none.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Check {
    #[serde(flatten)]
    pub ask: Ask,
}

impl Verb for Check {
    const ABOUT: About =
        About::new("limits", "check", Method::Post, "/limits/check", Level::Work, Effect::Hot)
            .also(&[("limit", "limits")]);
    type Answer = Stand;

    fn example() -> Value {
        json!({ "limits": ["reports:create/alice", "uploads/alice*5"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Stand>, Fault> {
        let outcome = call.plane.limits().check(&self.ask.wishes()).await?;
        Ok(Verdict::from(outcome).and_then(|found| match found.allowed {
            true => Verdict::Done(Stand::new("allowed", found)),
            false => Verdict::Refused(limited(Stand::new("limited", found))),
        }))
    }
}

/// Nothing was taken; the document says how each limit stands.
fn limited(stand: Stand) -> Refused {
    let mut refused = Refused::new("limited", Refusal::new("limited", stand.tightest.clone()));
    if let Value::Object(fields) = json!(stand) {
        refused.more = fields;
    }
    refused
}
