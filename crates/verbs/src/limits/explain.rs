//! `limits explain`.

use super::{Ask, Stand};
use crate::prelude::*;

/// Shows how limits stand and which is the tightest; nothing is taken.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Explain {
    #[serde(flatten)]
    pub ask: Ask,
}

impl Verb for Explain {
    const ABOUT: About =
        About::new("limits", "explain", Method::Post, "/limits/explain", Level::Read, Effect::None)
            .also(&[("limit", "limits")]);
    type Answer = Stand;

    fn example() -> Value {
        json!({ "limits": ["reports:create/alice"] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Stand>, Fault> {
        let outcome = call.plane.limits().explain(&self.ask.wishes()).await?;
        Ok(Verdict::from(outcome).map(|found| Stand::new("explained", found)))
    }
}
