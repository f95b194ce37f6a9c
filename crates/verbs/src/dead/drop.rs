//! `dead drop`.

use quorate_catalog::ids::DeadLetterId;

use crate::prelude::*;

/// Deletes dead letters; the audit keeps who and why.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Drop {
    /// The letter.
    pub id: Said<DeadLetterId>,
    /// Further ones.
    #[serde(default)]
    pub ids: Vec<Said<DeadLetterId>>,
    /// Why, for the audit.
    #[serde(default)]
    pub reason: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Dropped {
    /// `dropped`.
    pub outcome: &'static str,
    pub dropped: Vec<String>,
}

impl Verb for Drop {
    const ABOUT: About =
        About::new("dead", "drop", Method::Delete, "/dead/{id}", Level::Operate, Effect::Destroys);
    type Answer = Dropped;

    fn example() -> Value {
        json!({ "id": "4f3c2b1a", "reason": "done by hand" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Dropped>, Fault> {
        let mut dropped = Vec::new();
        for id in std::iter::once(&self.id).chain(&self.ids) {
            match Verdict::from(call.plane.dead_letters().drop(id, &call.who, &self.reason).await?) {
                Verdict::Done(()) => dropped.push(id.to_string()),
                Verdict::Refused(refused) => return Ok(Verdict::Refused(refused.with("dropped", dropped))),
            }
        }
        Ok(Verdict::Done(Dropped { outcome: "dropped", dropped }))
    }
}
