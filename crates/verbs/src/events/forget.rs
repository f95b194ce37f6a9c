//! `events forget`.

use quorate_plane::Refusal;
use quorate_plane::events::Stream;

use crate::prelude::*;

/// Ends a group, so that nothing is kept for it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Forget {
    /// Which stream.
    pub stream: Said<Stream>,
    /// The group; what it had not read or acknowledged is no longer kept for it.
    pub group: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Forgotten {
    /// `forgotten`.
    pub outcome: &'static str,
    pub stream: String,
    pub group: String,
}

impl Verb for Forget {
    const ABOUT: About = About::new(
        "events",
        "forget",
        Method::Delete,
        "/events/{stream}/groups/{group}",
        Level::Operate,
        Effect::Destroys,
    );
    type Answer = Forgotten;

    fn example() -> Value {
        json!({ "stream": "all", "group": "indexer" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Forgotten>, Fault> {
        let (events, stream) = (call.plane.events(), self.stream.0);
        if !events.drop_group(stream, &self.group).await? {
            return Ok(Verdict::Refused(Refusal::new("no_group", Some(self.group.clone())).into()));
        }
        Ok(Verdict::Done(Forgotten {
            outcome: "forgotten",
            stream: stream.name(),
            group: self.group.clone(),
        }))
    }
}
