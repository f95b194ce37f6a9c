//! `observations drop`.

use crate::prelude::*;

/// Deletes dead observations.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Drop {
    /// The dead observation.
    pub id: String,
    /// Further ones.
    #[serde(default)]
    pub ids: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Dropped {
    /// `dropped`.
    pub outcome: &'static str,
    /// How many there were.
    pub dropped: u64,
}

impl Verb for Drop {
    const ABOUT: About = About::new(
        "observations",
        "drop",
        Method::Delete,
        "/observations/{id}",
        Level::Operate,
        Effect::Destroys,
    )
    .listed("/observations", "dead");
    type Answer = Dropped;

    fn example() -> Value {
        json!({ "id": "1794768310000-0" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Dropped>, Fault> {
        let ids: Vec<String> = std::iter::once(&self.id).chain(&self.ids).cloned().collect();
        let dropped = call.plane.observations().drop(&ids).await?;
        Ok(Verdict::Done(Dropped { outcome: "dropped", dropped }))
    }
}
