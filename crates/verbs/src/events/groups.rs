//! `events groups`.

use quorate_plane::events::{Group, Stream};

use crate::prelude::*;

/// Lists the groups and how far they are.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Groups {
    /// Only the groups of this stream.
    #[serde(default)]
    pub stream: Option<Said<Stream>>,
}

impl Verb for Groups {
    const ABOUT: About =
        About::new("events", "groups", Method::Get, "/events/groups", Level::Read, Effect::None);
    type Answer = Vec<Group>;

    fn example() -> Value {
        json!({ "stream": "all" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Group>>, Fault> {
        let stream = self.stream.as_ref().map(|stream| stream.0);
        Ok(Verdict::Done(call.plane.events().groups(stream).await?))
    }
}
