//! `dead investigate`.

use quorate_catalog::ids::DeadLetterId;

use crate::prelude::*;

/// Notes what you found out about a dead letter.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Investigate {
    /// The letter.
    pub id: Said<DeadLetterId>,
    /// What you found out; without it, the mark is taken away.
    #[serde(default)]
    pub note: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Investigated {
    /// `investigated` or `unreviewed`.
    pub outcome: &'static str,
    pub letter: String,
}

impl Verb for Investigate {
    const ABOUT: About = About::new(
        "dead",
        "investigate",
        Method::Post,
        "/dead/{id}/investigate",
        Level::Operate,
        Effect::Change,
    );
    type Answer = Investigated;

    fn example() -> Value {
        json!({ "id": "4f3c2b1a", "note": "the disk was full" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Investigated>, Fault> {
        let outcome = call.plane.dead_letters().investigate(&self.id, &call.who, &self.note).await?;
        let word = if self.note.is_empty() { "unreviewed" } else { "investigated" };
        Ok(Verdict::from(outcome).map(|()| Investigated { outcome: word, letter: self.id.to_string() }))
    }
}
