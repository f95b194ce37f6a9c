//! `dead show`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Refusal;
use quorate_plane::dead_letters::Letter;

use crate::prelude::*;

/// Shows one dead letter with its payload and its history.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// The letter.
    pub id: Said<DeadLetterId>,
}

impl Verb for Show {
    const ABOUT: About = About::new("dead", "show", Method::Get, "/dead/{id}", Level::Read, Effect::None);
    type Answer = Letter;

    fn example() -> Value {
        json!({ "id": "4f3c2b1a" })
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(keys.quorate().dead_letter(&self.id), &[]))
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Letter>, Fault> {
        let found = call.plane.dead_letters().show(&self.id).await?;
        let none = || Verdict::Refused(Refusal::new("no_letter", Some(self.id.to_string())).into());
        Ok(found.map_or_else(none, Verdict::Done))
    }
}
