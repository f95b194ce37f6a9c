//! `tasks feed`.

use quorate_plane::tasks::{FeedPage, Part};

use crate::prelude::*;

/// Pages through the events of all tasks, newest first; or from a cursor on, oldest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Feed {
    /// Only what is older than the event with this cursor.
    #[serde(default)]
    pub after: Option<String>,
    /// Only what is newer than the event with this cursor, oldest first.
    #[serde(default)]
    pub since: Option<String>,
    /// Most events; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 500>>,
}

impl Verb for Feed {
    const ABOUT: About = About::new("tasks", "feed", Method::Get, "/tasks/-/feed", Level::Read, Effect::None);
    type Answer = FeedPage;

    fn example() -> Value {
        json!({ "limit": 10 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<FeedPage>, Fault> {
        let part = match (self.after.as_deref(), self.since.as_deref()) {
            (Some(_), Some(_)) => return Err(Fault::bad("since", "say after or since, not both")),
            (Some(after), None) if !after.is_empty() => Part::After(after),
            (None, Some(since)) if !since.is_empty() => Part::Since(since),
            _ => Part::Newest,
        };
        let limit = self.limit.map_or(100, Within::count);
        Ok(Verdict::from(call.plane.tasks().feed(part, limit).await?))
    }
}
