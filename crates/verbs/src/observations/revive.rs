//! `observations revive`.

use crate::prelude::*;

/// Sends a dead observation through again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Revive {
    /// The dead observation.
    pub id: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Revived {
    /// `revived`.
    pub outcome: &'static str,
    /// Its id among the pending ones.
    pub id: String,
}

impl Verb for Revive {
    const ABOUT: About = About::new(
        "observations",
        "revive",
        Method::Post,
        "/observations/{id}/revive",
        Level::Operate,
        Effect::Change,
    )
    .listed("/observations", "dead");
    type Answer = Revived;

    fn example() -> Value {
        json!({ "id": "1794768310000-0" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Revived>, Fault> {
        let outcome = call.plane.observations().revive(&self.id).await?;
        Ok(Verdict::from(outcome).map(|id| Revived { outcome: "revived", id }))
    }
}
