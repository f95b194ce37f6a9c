//! `services search`.

use quorate_plane::search::{ServicePage, ServiceQuery};

use crate::prelude::*;

/// Finds services by the beginnings of words and by what is known of them, by name. All that is given must hold; nothing
/// lists all of them.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Search {
    /// Words, or their beginnings, that one of id, name, environment and labels has all of.
    #[serde(default)]
    pub query: Option<String>,
    /// Of this environment.
    #[serde(default)]
    pub environment: Option<String>,
    /// With this status in the registry.
    #[serde(default)]
    pub status: Option<String>,
    /// With this verdict on their health.
    #[serde(default)]
    pub health: Option<String>,
    /// With this label.
    #[serde(default)]
    pub tag: Option<String>,
    /// Where to go on: `next_cursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Most services of a page; 50 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 200>>,
}

impl Verb for Search {
    const ABOUT: About =
        About::new("services", "search", Method::Get, "/search/services", Level::Read, Effect::None);
    type Answer = ServicePage;

    fn example() -> Value {
        json!({ "query": "pay", "environment": "production" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<ServicePage>, Fault> {
        let query = ServiceQuery {
            query: self.query.clone(),
            environment: self.environment.clone(),
            status: self.status.clone(),
            health: self.health.clone(),
            tag: self.tag.clone(),
            cursor: self.cursor.clone(),
            limit: self.limit.map_or(50, Within::count),
        };
        Ok(call.plane.search().services(&query).await?.into())
    }
}
