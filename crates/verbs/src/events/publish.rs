//! `events publish`.

use quorate_plane::events::{Event, Stream};

use crate::prelude::*;
use crate::said::Json;

/// Puts an event on a stream.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Publish {
    /// all, task, approval or lock, or a full name such as events:all.
    pub stream: Said<Stream>,
    /// What happened, such as task:state_changed.
    pub event: String,
    /// The details, as JSON or as the text of it; {} if it is not said.
    #[serde(default)]
    pub payload: Option<Json>,
    /// Who says so; the caller, if it is not said.
    #[serde(default)]
    pub source: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Published {
    /// `published`.
    pub outcome: &'static str,
    pub stream: String,
    pub id: String,
}

impl Verb for Publish {
    const ABOUT: About =
        About::new("events", "publish", Method::Post, "/events/{stream}", Level::Work, Effect::Hot)
            .by("source");
    type Answer = Published;

    fn example() -> Value {
        json!({ "stream": "all", "event": "build:done", "payload": { "build": 42 } })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Published>, Fault> {
        if !self.stream.takes_events() {
            let why = "nobody publishes on it by hand; use all, task, approval or lock (`events wake` and \
                `observations submit` write the others)";
            return Err(Fault::bad("stream", why));
        }
        let event = Event {
            event: self.event.clone(),
            payload: self.payload.as_ref().map_or_else(|| "{}".to_owned(), |payload| payload.0.clone()),
            source: self.source.clone().unwrap_or_else(|| call.name()),
        };
        let outcome =
            call.plane.events().traced(call.trace.as_ref()).publish(self.stream.0, &[event]).await?;
        Ok(Verdict::from(outcome).map(|ids| Published {
            outcome: "published",
            stream: self.stream.name(),
            id: ids.into_iter().next().unwrap_or_default(),
        }))
    }
}
