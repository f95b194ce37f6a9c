//! `overview show`.

use quorate_plane::overview::{Need, Numbers, Urgency};

use crate::prelude::*;

/// Says whether everything is all right, and what needs a person now, each with what to do.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Health {
    /// `all_right`, `look` or `act`.
    pub health: &'static str,
    /// The time of the store when this was looked at.
    pub as_of: String,
    pub numbers: Numbers,
    /// The most urgent first.
    pub needs: Vec<Need>,
}

impl Verb for Show {
    const ABOUT: About = About::new("overview", "show", Method::Get, "/overview", Level::Read, Effect::None);
    type Answer = Health;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Health>, Fault> {
        let overview = call.plane.overview();
        let as_of = call.plane.store().time().await?.iso();
        let (numbers, mut needs) = (overview.numbers().await?, overview.needs().await?);
        // Names and reasons of nouns that the caller may not read are not for the caller.
        needs.retain(|need| call.may(need.noun, Level::Read));
        let health = match needs.first().map(|need| need.urgency) {
            None => "all_right",
            Some(Urgency::Soon) => "look",
            Some(Urgency::Now) => "act",
        };
        Ok(Verdict::Done(Health { health, as_of, numbers, needs }))
    }
}
